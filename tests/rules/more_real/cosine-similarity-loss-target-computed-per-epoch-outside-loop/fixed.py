import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
text, image = nn.Embedding(6, 8), nn.Linear(5, 8)
optimizer = torch.optim.Adam([*text.parameters(), *image.parameters()], lr=1e-3)


def class_embeddings(prompts):
    return F.normalize(torch.stack([text(p).mean(0) for p in prompts]), dim=1)


prompts = [torch.randint(6, (3,)) for _ in range(4)]
for step in range(3):
    anchors = class_embeddings(prompts)
    x, y = torch.randn(7, 5), torch.randint(4, (7,))
    logits = F.normalize(image(x), dim=1) @ anchors.t() / 0.07
    loss = F.cross_entropy(logits, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
