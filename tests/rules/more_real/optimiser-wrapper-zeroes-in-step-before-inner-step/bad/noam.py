class NoamOpt:
    def __init__(self, size, factor, warmup, optimizer):
        self.optimizer, self.size, self.factor, self.warmup = optimizer, size, factor, warmup
        self._step = 0

    def rate(self):
        s = max(self._step, 1)
        return self.factor * self.size**-0.5 * min(s**-0.5, s * self.warmup**-1.5)

    def step(self):
        self._step += 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        self.optimizer.zero_grad()
        self.optimizer.step()
