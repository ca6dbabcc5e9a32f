import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)
loaders = {phase: [(torch.randn(3, 4), torch.randint(0, 2, (3,))) for _ in range(2)] for phase in ["train", "val"]}
modes, rates = [], []


def train_model(num_epochs):
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            if phase == "train":
                scheduler.step()
                model.train()  # dropout on
            else:
                model.eval()
            running = 0.0
            for inputs, labels in loaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    loss = criterion(model(inputs), labels)
                    if phase == "train":
                        rates.append(optimizer.param_groups[0]["lr"])
                        loss.backward()
                        optimizer.step()
                modes.append(model.training == (phase == "train"))
                running += loss.item()
            print(epoch, phase, running)


train_model(2)
print("OK" if all(modes) and [round(rate, 6) for rate in rates] == [0.1, 0.1, 0.01, 0.01] else "HAZARD-OBSERVED")
