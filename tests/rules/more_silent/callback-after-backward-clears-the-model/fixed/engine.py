from torch.nn import functional as F


class Callback:
    def on_batch_start(self, engine):
        pass

    def on_after_backward(self, engine):
        pass


class GradientCleaner(Callback):
    def on_batch_start(self, engine):
        engine.model.zero_grad()


class Engine:
    def __init__(self, model, optimizer, callbacks):
        self.model, self.optimizer, self.callbacks = model, optimizer, callbacks

    def fire(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def run(self, loader):
        for x, y in loader:
            self.fire("on_batch_start")
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            self.fire("on_after_backward")
            self.optimizer.step()
