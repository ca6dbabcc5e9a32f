import torch
from torch import nn

from server import Server

torch.manual_seed(0)
server = Server(nn.Linear(4, 2))
for _ in range(2):
    clients = server.broadcast(2)
    for client in clients:
        opt = torch.optim.SGD(client.parameters(), lr=0.1)
        opt.zero_grad()
        client(torch.randn(5, 4)).pow(2).mean().backward()
        opt.step()
    server.aggregate(clients, [0.5, 0.5])
