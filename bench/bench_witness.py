"""What watching costs: training loops with and without the recorder, in turns, on the CPU.

Prints a Markdown table of seconds per loop (medians over rounds) and how many times slower the watched loop is;
``--json FILE`` writes the numbers too. Memory is the growth of the process over a long loop.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))


def cnn(batch: int) -> Callable[[int], None]:
    """A small convolutional network on images of 32 by 32."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    net = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(inplace=True), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(inplace=True), nn.MaxPool2d(2),
        nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1),
        nn.Flatten(), nn.Linear(32, 10),
    )  # fmt: skip
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    images, labels = torch.randn(batch, 3, 32, 32), torch.randint(10, (batch,))

    def train(steps: int) -> None:
        for _ in range(steps):
            loss = nn.functional.cross_entropy(net(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return train


def transformer(batch: int) -> Callable[[int], None]:
    """A small language model: two layers of width 64, sequences of 32 tokens."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
    embed, encoder, head = nn.Embedding(100, 64), nn.TransformerEncoder(layer, 2), nn.Linear(64, 100)
    parts = nn.ModuleList([embed, encoder, head])
    optimizer = torch.optim.AdamW(parts.parameters(), lr=1e-3)
    tokens = torch.randint(100, (batch, 33))

    def train(steps: int) -> None:
        for _ in range(steps):
            logits = head(encoder(embed(tokens[:, :-1])))
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return train


LOOPS = {"small CNN": (cnn, 16), "small transformer": (transformer, 8), "tiny CNN (batch of 1)": (cnn, 1)}


def measure(
    make: Callable[[int], Callable[[int], None]], batch: int, rounds: int, steps: int, sample: int
) -> list[tuple[float, float]]:
    """Seconds of CPU per step, plain and watched, in turns."""
    from autograd_hazards.trace.install import Recording

    found = []
    train = make(batch)
    train(3)
    for _ in range(rounds):
        start = time.process_time()
        train(steps)
        plain = time.process_time() - start
        recording = Recording(sample)
        recording.start()
        start = time.process_time()
        train(steps)
        watched = time.process_time() - start
        recording.stop()
        found.append((plain / steps, watched / steps))
    return found


def memory(make: Callable[[int], Callable[[int], None]], batch: int, steps: int) -> tuple[int, int]:
    """Kilobytes that the process grows by over the first and the second half of a long watched loop."""
    from autograd_hazards.trace.install import Recording

    train = make(batch)
    recording = Recording()
    recording.start()
    train(20)
    sizes = [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]
    for _ in range(2):
        train(steps)
        sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    recording.stop()
    return sizes[1] - sizes[0], sizes[2] - sizes[1]


def main() -> int:
    """Measure and print; exit status 1 when watching costs more than ``--limit`` times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--limit", type=float, default=3.0)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    rows: dict[str, Any] = {}
    print("| loop | plain, ms a step | watched, ms a step | times | with --sample 5 |\n|---|---|---|---|---|")
    for name, (make, batch) in LOOPS.items():
        pairs = measure(make, batch, options.rounds, options.steps, 1)
        plain, watched = (statistics.median(column) * 1e3 for column in zip(*pairs, strict=True))
        times = statistics.median(b / a for a, b in pairs)
        sampled = statistics.median(b / a for a, b in measure(make, batch, options.rounds, options.steps, 5))
        rows[name] = {"plain_ms": plain, "watched_ms": watched, "times": times, "sampled_times": sampled}
        print(f"| {name} | {plain:.1f} | {watched:.1f} | {times:.2f} | {sampled:.2f} |", flush=True)
    first, second = memory(transformer, 2, 150)
    rows["memory_kb"] = [first, second]
    print(f"\nMemory over 150 watched steps, and over 150 more: +{first} kB, +{second} kB")
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return int(any(row["times"] > options.limit for name, row in rows.items() if name.startswith("small")))


if __name__ == "__main__":
    sys.exit(main())
