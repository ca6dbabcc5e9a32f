class Callback:
    def on_train_batch_start(self, trainer):
        pass

    def on_after_backward(self, trainer):
        pass

    def on_before_optimizer_step(self, trainer):
        pass


class Loop:
    def __init__(self, model, optimizer, callbacks):
        self.model, self.optimizer, self.callbacks = model, optimizer, callbacks

    def call(self, hook):
        for callback in self.callbacks:
            getattr(callback, hook)(self)

    def fit(self, loader, loss_fn):
        for x, y in loader:
            self.call("on_train_batch_start")
            loss = loss_fn(self.model(x), y)
            loss.backward()
            self.call("on_after_backward")
            self.call("on_before_optimizer_step")
            self.optimizer.step()
