"""Runs a program as the interpreter itself would, with a recorder on torch.

``python bootstrap.py RECORD [--sample N] [-m MODULE | SCRIPT] ARGS…``. The record is written to the file RECORD when the
program has ended, however it ends. Nothing is printed.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import types
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "_autograd_hazards_trace"


def load_package() -> Any:
    """This folder as a package of its own name, so that no installed version comes into play."""
    spec = importlib.util.spec_from_file_location(
        PACKAGE, os.path.join(HERE, "__init__.py"), submodule_search_locations=[HERE]
    )
    assert spec is not None and spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = package
    spec.loader.exec_module(package)
    return importlib.import_module(PACKAGE + ".attend")


def main(arguments: list[str]) -> None:
    """Run the program that the arguments name; never returns other than as the program ends."""
    record, arguments = arguments[0], arguments[1:]
    sample = 1
    if arguments[0] == "--sample":
        sample, arguments = int(arguments[1]), arguments[2:]
    attend = load_package()
    attendance = attend.Attendance(record, sample)
    main_module = types.ModuleType("__main__")
    vars(main_module)["__builtins__"] = __builtins__
    try:
        if arguments[0] == "-m":
            import runpy

            sys.path[0] = os.getcwd()
            sys.argv = ["-m", *arguments[2:]]
            sys.modules["__main__"] = main_module
            runpy._run_module_as_main(arguments[1])  # type: ignore[attr-defined]
        else:
            _script(arguments, main_module)
    except BaseException as error:
        attendance.uncaught(error)
        raise


def _script(arguments: list[str], module: types.ModuleType) -> None:
    path = arguments[0]
    sys.argv = arguments
    if os.path.isdir(path) or (not path.endswith((".py", ".pyw")) and _is_zip(path)):
        import runpy

        sys.path[0] = os.path.abspath(path)  # as the interpreter does
        sys.modules["__main__"] = module
        runpy._run_module_as_main("__main__", False)  # type: ignore[attr-defined]
        return
    from importlib.machinery import SourceFileLoader

    sys.path[0] = os.path.dirname(os.path.realpath(path))
    path = os.path.abspath(path)
    module.__file__ = path
    module.__loader__ = SourceFileLoader("__main__", path)
    vars(module).update(__cached__=None, __annotations__={}, __builtins__=__builtins__)
    sys.modules["__main__"] = module
    with open(path, "rb") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    exec(code, module.__dict__)


def _is_zip(path: str) -> bool:
    import zipfile

    return zipfile.is_zipfile(path)


if __name__ == "__main__":
    main(sys.argv[1:])
