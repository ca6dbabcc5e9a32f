from contextlib import contextmanager, nullcontext, suppress, ExitStack, closing, ContextDecorator
log = []
@contextmanager
def cm(name):
    log.append("in " + name)
    try:
        yield name.upper()
    except ValueError:
        log.append("caught")
    finally:
        log.append("out " + name)
with cm("a") as a: log.append(a)
with cm("b"): raise ValueError
try:
    with cm("c"): raise KeyError
except KeyError:
    log.append("key")
with nullcontext(5) as b: pass
with suppress(KeyError, IndexError):
    log.append("s"); {}["x"]; log.append("never")
with ExitStack() as stack:
    c = [stack.enter_context(cm(n)) for n in "xy"]
    stack.callback(log.append, "callback")
class Res:
    def close(self): log.append("closed")
with closing(Res()) as r: log.append("using")
@cm("deco")
def f(): log.append("f"); return 3
d = f(); e = f()
class M(ContextDecorator):
    def __enter__(self): log.append("enter"); return self
    def __exit__(self, *args): log.append(args[0] is None); return True
with M(): pass
with M(): raise RuntimeError
with cm("p") as x, cm("q") as y: log.append(x + y)
