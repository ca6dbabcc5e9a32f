"""The operating system, files, processes, threads: unknown values, and code that is run elsewhere."""

from __future__ import annotations

import os.path
from typing import Any

from .. import attributes, calls, iteration
from ..core import Raised
from ..values import Instance, Unknown, Value
from .registry import CONSTANTS, QUIET, Call, Machine, function, lib_class, method

# their functions neither keep nor change what they are given
QUIET.update(
    "os sys time datetime json re glob shutil pathlib tempfile yaml toml csv pickle joblib warnings platform".split(),
    "string uuid hashlib gc psutil traceback inspect textwrap pprint getpass io zipfile tarfile urllib".split(),
    "signal atexit resource importlib pkg_resources argparse locale calendar struct codecs logging base64".split(),
    "requests socket subprocess dotenv gdown huggingface_hub".split(),
)
CONSTANTS["sys.maxsize"] = (1 << 63) - 1
CONSTANTS["sys.version_info"] = (3, 11, 0)
CONSTANTS["sys.platform"] = "linux"
CONSTANTS["os.name"] = "posix"
CONSTANTS["os.sep"] = "/"
CONSTANTS["os.path.sep"] = "/"


@function("sys.exit", "os._exit", "os.abort")
def _exit(m: Machine, call: Call) -> Value:
    raise Raised(m.session.make_exception("SystemExit", ""), m.here(call.node))


def remembered(m: Machine, key: Any, why: str) -> Value:
    """An unknown that is the same each time it is asked for in one run."""
    found = m.tracks.get(key)
    if found is None:
        found = m.tracks[key] = Unknown(why)
    return found


@function("os.environ.get", "os.getenv", "os.environ.pop")
def _environ(m: Machine, call: Call) -> Value:
    name = call.get(0, "key")
    return remembered(m, ("environ", name), "environment") if isinstance(name, str) else Unknown("environment")


def _path(name: str) -> None:
    func = getattr(os.path, name)

    @function(f"os.path.{name}")
    def _(m: Machine, call: Call) -> Value:
        if call.args and all(isinstance(a, str) and len(a) < 4096 for a in call.args) and len(call.args) < 32:
            return func(*call.args)
        return Unknown("path")


for _name in ("join", "basename", "dirname", "splitext", "normpath"):
    _path(_name)


@function("os.path.exists", "os.path.isfile", "os.path.isdir")
def _exists(m: Machine, call: Call) -> Value:
    name = call.get(0, "path")
    if isinstance(name, str):
        return remembered(m, ("exists", name), "file")
    return name.derive("exists") if isinstance(name, Unknown) else Unknown("file")


# -- code that is run by others ---------------------------------------------------------------------------------------
lib_class("threading.Thread", aliases=("multiprocessing.Process", "torch.multiprocessing.Process", "threading.Timer"))


@method("threading.Thread", "__init__")
def _thread(m: Machine, self: Instance, call: Call) -> Value:
    self.attrs.update(name="thread", daemon=False)
    self.data = (call.get(1, "target"), call.get(3, "args", ()), call.get(4, "kwargs"))
    return None


@method("threading.Thread", "start")
def _start(m: Machine, self: Instance, call: Call) -> Value:
    calls.call(m, attributes.get_attribute(m, self, "run", call.node), [], {}, call.node)
    return None


@method("threading.Thread", "run")
def _run(m: Machine, self: Instance, call: Call) -> Value:
    if isinstance(self.data, tuple) and self.data[0] is not None:
        func, args, kwargs = self.data
        given = iteration.listed(m, args, call.node) if not isinstance(args, Unknown) else []
        calls.call(m, func, given, dict(kwargs) if isinstance(kwargs, dict) else {}, call.node)
    return None


@method("threading.Thread", "join", "terminate", "kill", "close", "setDaemon", "is_alive")
def _join(m: Machine, self: Instance, call: Call) -> Value:
    return None


@function("torch.multiprocessing.spawn", "torch.multiprocessing.start_processes")
def _spawn(m: Machine, call: Call) -> Value:
    args = call.get(1, "args", ())
    given = iteration.listed(m, args, call.node) if not isinstance(args, Unknown) else []
    calls.call(m, call.get(0, "fn"), [Unknown("rank"), *given], {}, call.node)
    return None


POOL = lib_class(
    "concurrent.futures.Executor",
    aliases=(
        "concurrent.futures.ThreadPoolExecutor",
        "concurrent.futures.ProcessPoolExecutor",
        "multiprocessing.Pool",
        "multiprocessing.pool.ThreadPool",
        "torch.multiprocessing.Pool",
        "multiprocessing.pool.Pool",
    ),
)
FUTURE = lib_class("concurrent.futures.Future")


@method("concurrent.futures.Executor", "__init__", "__exit__", "shutdown", "close", "join", "terminate")
def _pool(m: Machine, self: Instance, call: Call) -> Value:
    return None


@method("concurrent.futures.Executor", "__enter__")
def _pool_enter(m: Machine, self: Instance, call: Call) -> Value:
    return self


def _future(m: Machine, value: Value, call: Call) -> Instance:
    made = Instance(FUTURE, m.here(call.node))
    made.data = value
    return made


@method("concurrent.futures.Executor", "submit")
def _submit(m: Machine, self: Instance, call: Call) -> Value:
    return _future(m, calls.call(m, call.get(0, "fn"), call.args[1:], call.kwargs, call.node), call)


@method("concurrent.futures.Executor", "apply_async", "apply")
def _apply(m: Machine, self: Instance, call: Call) -> Value:
    args = call.get(1, "args", ())
    given = iteration.listed(m, args, call.node) if not isinstance(args, Unknown) else []
    return _future(m, calls.call(m, call.get(0, "func"), given, {}, call.node), call)


@method("concurrent.futures.Executor", "map", "imap", "imap_unordered", "map_async", "starmap")
def _map(m: Machine, self: Instance, call: Call) -> Value:
    from .builtins_lazy import mapped

    if len(call.args) < 2:
        return Unknown("map")
    return iteration.listed(m, mapped(m, call.args[0], call.args[1:2], call.node), call.node)


@method("concurrent.futures.Future", "result", "get", "wait")
def _result(m: Machine, self: Instance, call: Call) -> Value:
    return self.data


@method("concurrent.futures.Future", "done")
def _done(m: Machine, self: Instance, call: Call) -> Value:
    return True


@function("concurrent.futures.as_completed")
def _as_completed(m: Machine, call: Call) -> Value:
    source = call.get(0, "fs")
    return source.derive("completed") if isinstance(source, Unknown) else iteration.listed(m, source, call.node)


@function("asyncio.run", "asyncio.create_task", "asyncio.ensure_future", "asyncio.wait_for", "asyncio.shield")
def _awaited(m: Machine, call: Call) -> Value:
    return call.get(0, "main")  # coroutines run when they are called here


@function("asyncio.gather")
def _gather(m: Machine, call: Call) -> Value:
    return list(call.args)


@function("asyncio.sleep")
def _sleep(m: Machine, call: Call) -> Value:
    return None


@function("fire.Fire", "tyro.cli", "typer.run", "absl.app.run")
def _command_line(m: Machine, call: Call) -> Value:
    """A function that gets its arguments from the command line."""
    func = call.get(0, "component", call.kwargs.get("main"))
    return calls.call(m, func, [], {}, call.node)


# -- saving and loading -----------------------------------------------------------------------------------------------
@function(
    "json.loads",
    "json.load",
    "yaml.safe_load",
    "yaml.load",
    "pickle.load",
    "pickle.loads",
    "json.dumps",
    "pickle.dumps",
)
def _loaded(m: Machine, call: Call) -> Value:
    return Unknown("data")
