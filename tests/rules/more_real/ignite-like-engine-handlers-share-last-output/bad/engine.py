from enum import Enum, auto


class Events(Enum):
    STARTED = auto()
    ITERATION_COMPLETED = auto()
    COMPLETED = auto()


class State:
    def __init__(self, **kwargs):
        self.iteration = 0
        self.output = None
        for key, value in kwargs.items():
            setattr(self, key, value)


class Engine:
    def __init__(self, process_function):
        self._process, self._handlers = process_function, {}
        self.state = State()

    def add_event_handler(self, event, handler, *args):
        self._handlers.setdefault(event, []).append((handler, args))

    def on(self, event, *args):
        def decorator(handler):
            self.add_event_handler(event, handler, *args)
            return handler

        return decorator

    def _fire(self, event):
        for handler, args in self._handlers.get(event, []):
            handler(self, *args)

    def run(self, data, max_epochs=1):
        self.state = State(max_epochs=max_epochs)
        self._fire(Events.STARTED)
        for _ in range(max_epochs):
            for batch in data:
                self.state.iteration += 1
                self.state.output = self._process(self, batch)
                self._fire(Events.ITERATION_COMPLETED)
        self._fire(Events.COMPLETED)
        return self.state
