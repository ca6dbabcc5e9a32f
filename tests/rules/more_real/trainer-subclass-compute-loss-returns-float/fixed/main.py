import torch
import torch.nn as nn
import torch.nn.functional as F

from trainer import Trainer, TrainingArguments


class Classifier(nn.Module):
    def __init__(self, vocab=30, classes=3):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, 12)
        self.head = nn.Linear(12, classes)

    def forward(self, input_ids, labels=None):
        logits = self.head(self.emb(input_ids))
        return {"loss": F.cross_entropy(logits, labels), "logits": logits}


class WeightedTrainer(Trainer):
    weights = torch.tensor([1.0, 2.0, 0.5])

    def compute_loss(self, model, inputs, return_outputs=False):
        outputs = model(input_ids=inputs["input_ids"], labels=inputs["labels"])
        loss = F.cross_entropy(outputs["logits"], inputs["labels"], weight=self.weights)
        return (loss, outputs) if return_outputs else loss


torch.manual_seed(0)
data = [{"input_ids": torch.randint(30, (4, 6)), "labels": torch.randint(3, (4,))} for _ in range(3)]
print(WeightedTrainer(Classifier(), TrainingArguments(), data).train())
