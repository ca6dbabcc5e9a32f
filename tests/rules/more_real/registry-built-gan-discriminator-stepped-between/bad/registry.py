class Registry:
    def __init__(self, name):
        self.name = name
        self._modules = {}

    def register(self, cls):
        self._modules[cls.__name__] = cls
        return cls

    def build(self, cfg, **extra):
        args = dict(cfg)
        kind = args.pop("type")
        return self._modules[kind](**args, **extra)


NETS = Registry("nets")
MODELS = Registry("models")
