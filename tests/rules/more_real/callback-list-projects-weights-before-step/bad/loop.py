class Loop:
    def __init__(self, net, opt, callbacks):
        self.net, self.opt, self.callbacks = net, opt, callbacks

    def fire(self, event):
        for cb in self.callbacks:
            getattr(cb, f'on_{event}')(self)

    def run(self, data):
        for x, y in data:
            self.opt.zero_grad()
            self.loss = (self.net(x) - y).pow(2).mean()
            self.fire('loss')
            self.loss.backward()
            self.fire('backward_end')
            self.opt.step()
            self.fire('step_end')
