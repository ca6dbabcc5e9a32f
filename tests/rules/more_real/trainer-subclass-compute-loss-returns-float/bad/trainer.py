import torch
import torch.nn as nn


class TrainingArguments:
    def __init__(self, learning_rate=1e-3, num_train_epochs=1, max_grad_norm=1.0, gradient_accumulation_steps=1):
        self.learning_rate = learning_rate
        self.num_train_epochs = num_train_epochs
        self.max_grad_norm = max_grad_norm
        self.gradient_accumulation_steps = gradient_accumulation_steps


class Trainer:
    def __init__(self, model, args, train_dataset):
        self.model, self.args, self.train_dataset = model, args, train_dataset
        self.optimizer = None

    def create_optimizer(self):
        if self.optimizer is None:
            self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=self.args.learning_rate)
        return self.optimizer

    def compute_loss(self, model, inputs, return_outputs=False):
        outputs = model(**inputs)
        loss = outputs["loss"]
        return (loss, outputs) if return_outputs else loss

    def training_step(self, model, inputs):
        model.train()
        loss = self.compute_loss(model, inputs)
        if self.args.gradient_accumulation_steps > 1:
            loss = loss / self.args.gradient_accumulation_steps
        loss.backward()
        return loss.detach()

    def train(self):
        self.create_optimizer()
        total = 0.0
        for _ in range(self.args.num_train_epochs):
            for inputs in self.train_dataset:
                total += self.training_step(self.model, inputs)
                nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)
                self.optimizer.step()
                self.model.zero_grad()
        return total
