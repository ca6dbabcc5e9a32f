from trainer import Callback


class GradientLogger(Callback):
    def __init__(self):
        self.norms = []

    def on_after_backward(self, trainer):
        self.norms.append(sum(p.grad.norm().item() for p in trainer.model.parameters()))


class GradientReset(Callback):
    def on_train_batch_start(self, trainer):
        trainer.optimizer.zero_grad(set_to_none=True)
