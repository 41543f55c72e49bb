"""Programs that a test starts, and interrupts."""

import signal
import subprocess

PATIENCE = 1800  # seconds until what hangs is ended; no machine is so busy that a test waits as long


def start_program(command, **how):
    """Start a program that heeds Ctrl-C. A shell starts its background commands deaf to it, and so would be theirs."""
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=_heed_ctrl_c, **how
    )


def _heed_ctrl_c():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
