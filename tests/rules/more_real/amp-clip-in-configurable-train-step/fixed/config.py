from dataclasses import dataclass


@dataclass
class TrainConfig:
    lr: float = 1.0
    use_amp: bool = True
    clip_norm: float = 0.5
    epochs: int = 2
