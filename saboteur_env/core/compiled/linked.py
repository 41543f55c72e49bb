"""Code that is linked into its callers, and runs nowhere else.

numba links into a kernel all that it calls, down to the last, and optimises and translates the whole. It does the same
with each kernel on the way, whose own machine code nobody enters. Left out, a kernel is compiled in two thirds of the
time.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, compile_result

LINKED = "linked"  # how such code is kept


class LinkedCode(JITCodeLibrary):
    """The code of a kernel that kernels alone call, as it was lowered, with all that it calls."""

    @property
    def codegen(self) -> Any:
        """Whom numba asks to set the kernel's environment, which is only needed for a way in from Python."""
        return _NoEnvironment()

    def get_pointer_to_function(self, name: str) -> int:
        """No function of it has an address."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What is kept of it."""
        return self.name, LINKED, self._get_module_for_linking().as_bitcode()

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _NoEnvironment:
    def set_env(self, name: str, environment: Any) -> None:
        pass


class Linking(Compiler):
    """What compiles a kernel to such code. The arguments are those of numba's compiler."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *others: Any) -> None:
        super().__init__(typingctx, targetctx, library or LinkedCode(targetctx.codegen(), LINKED), *others)


def is_linked(kept: Any) -> bool:
    """Whether what is kept of a compiled kernel is of such code."""
    (_, kind, _), *_ = kept
    return bool(kind == LINKED)


def rebuilt(context: Any, kept: Any) -> CompileResult:
    """A compiled kernel from what is kept of it."""
    (name, _, bitcode), description, environment, signature, *_, loads, _ = kept
    for load in loads:
        load()
    library = LinkedCode(context.codegen(), name)
    library._final_module = binding.parse_bitcode(bitcode)
    library._finalize_final_module()
    return compile_result(
        typing_context=context.typing_context,
        target_context=context,
        library=library,
        entry_point=context.get_executable(library, description, environment),
        fndesc=description,
        environment=environment,
        signature=signature,
        objectmode=False,
        lifted=(),
        reload_init=loads,
        referenced_envs=(),
    )
