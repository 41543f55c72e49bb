"""Kernels that only kernels call: they are optimised and linked into those, but not translated for the processor.

numba translates every function to machine code, and with it all that it calls. So what a kernel calls was translated
once for each kernel above it, and that code never ran. Here a library of code ends as LLVM's intermediate language.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult


class LinkedLibrary(JITCodeLibrary):
    """Code to be linked into other code."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Null: nothing here can be called from outside."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """What numba sets environments with."""
        return self

    def set_env(self, env_name: str, env: Any) -> None:
        """Set no environment: the code has no address."""

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What is kept on disk."""
        return self.name, "linked", self._get_module_for_linking().as_bitcode()


class LinkedCompiler(Compiler):
    """numba's compiler up to a `LinkedLibrary`."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        self.state.library = LinkedLibrary(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


class _Loaded:
    """A target that has unpacked a library already."""

    def __init__(self, target: Any, library: LinkedLibrary) -> None:
        self._target, self._library = target, library

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target, name)

    def codegen(self) -> _Loaded:
        return self

    def unserialize_library(self, _: Any) -> LinkedLibrary:
        return self._library


def load_linked(target: Any, kept: Any) -> Any:
    """The compiled function of what was kept, as numba's cache asks for it.

    Args:
        target: of the code; kept: as numba's CompileResult makes it.
    """
    name, _, code = kept[0]
    library = LinkedLibrary(target.codegen(), name)
    library._final_module = binding.parse_bitcode(code)
    library._finalize_final_module()
    return CompileResult._rebuild(_Loaded(target, library), *kept)._replace(target_context=target)
