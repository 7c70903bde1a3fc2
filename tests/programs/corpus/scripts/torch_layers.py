# SPDX-License-Identifier: Apache-2.0
"""Training steps, an LSTM and a sort of PyTorch."""
import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Conv2d(3, 16, 3), torch.nn.ReLU(), torch.nn.Conv2d(16, 16, 3), torch.nn.ReLU(),
                          torch.nn.Flatten(), torch.nn.Linear(16 * 28 * 28, 10))
pictures, wanted = torch.randn(32, 3, 32, 32), torch.arange(32) % 10
steps = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(60):
    steps.zero_grad()
    loss = torch.nn.functional.cross_entropy(net(pictures), wanted)
    loss.backward()
    steps.step()
lstm, words = torch.nn.LSTM(64, 128, 2), torch.randn(50, 16, 64)
states = sum(lstm(words)[0].sum().item() for _ in range(40))
numbers = torch.randn(4_000_000)
for _ in range(20):
    numbers = torch.sin(numbers)
print(loss.item(), states, torch.sort(numbers)[0][::1000].sum().item())
