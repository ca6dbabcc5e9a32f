import copy


class Guard:
    def __init__(self, model, limit):
        self.model, self.limit = model, limit
        self.good = copy.deepcopy(model.state_dict())

    def check(self, loss):
        if loss.item() > self.limit:
            self.model.load_state_dict(self.good)
            return False
        self.good = copy.deepcopy(self.model.state_dict())
        return True
