from typing import NamedTuple, Optional

import torch
from torch import nn


class Node(NamedTuple):
    word: int
    left: Optional["Node"] = None
    right: Optional["Node"] = None


class TreeEncoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.compose = nn.Linear(2 * dim, dim)
        self.memo = {}

    def reset(self):
        self.memo.clear()

    def encode(self, node):
        if node in self.memo:
            return self.memo[node]
        state = self.embed(torch.tensor(node.word))
        if node.left is not None and node.right is not None:
            children = torch.cat([self.encode(node.left), self.encode(node.right)])
            state = state + torch.tanh(self.compose(children))
        self.memo[node] = state
        return state

    def forward(self, node):
        return self.encode(node)


shared = Node(1, Node(2), Node(3))
trees = [(shared, 0), (Node(4, shared, Node(5)), 1), (Node(6, Node(7), shared), 0)]
torch.manual_seed(0)
encoder, classifier = TreeEncoder(10, 6), nn.Linear(6, 2)
optimizer = torch.optim.Adagrad([{"params": encoder.parameters()}, {"params": classifier.parameters(), "lr": 0.1}], lr=0.05)
for tree, label in trees:
    encoder.reset()
    loss = nn.functional.cross_entropy(classifier(encoder(tree))[None], torch.tensor([label]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
