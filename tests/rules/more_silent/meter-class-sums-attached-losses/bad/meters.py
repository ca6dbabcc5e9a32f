class Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def average(self):
        return self.sum / max(self.count, 1)


class MeterBook:
    def __init__(self, *names):
        self.meters = {name: Meter() for name in names}

    def reset(self):
        for meter in self.meters.values():
            meter.reset()

    def update(self, name, value, n):
        self.meters[name].update(value, n)

    def average(self, name):
        return self.meters[name].average
