log = []
class Mine(ValueError):
    def __init__(self, code):
        super().__init__("mine", code)
        self.code = code
try:
    raise Mine(3)
except ValueError as error:
    log.append(error.code); log.append(error.args)
finally:
    log.append("finally")
try:
    {}["a"]
except KeyError:
    log.append("key")
try:
    [][0]
except IndexError:
    log.append("index")
try:
    1 / 0
except ZeroDivisionError:
    log.append("zero")
try:
    int("x")
except ValueError:
    log.append("value")
try:
    raise RuntimeError("text")
except (TypeError, RuntimeError) as e:
    log.append(str(e))
else:
    log.append("else")
def f():
    try:
        return 1
    finally:
        log.append("f")
a = f(); b = isinstance(Mine(1), Exception); c = issubclass(KeyError, LookupError)
try:
    try:
        raise KeyError("inner")
    except KeyError:
        raise
except LookupError:
    log.append("outer")
