"""Random programs under the recorder and on the abstract machine: where torch raises, both tell the same story.

``python -m tests.trace.stories --count 1000`` prints how many agree, and the programs on which they do not. As
``--worker`` this is the process with torch: one JSON list of programs a line in, one list of stories a line out.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "server"))

FILENAME = "program.py"
BATCH = 25
PATIENCE = 5
Story = list[Any]
"""``[kind, row that fails, row that saved or built, row that changed or freed]``; what does not apply is 0."""
NAMES = {
    "out_argument": "other",
    "detach_view": "other",
    "retain_grad": "other",
    "flag_of_non_leaf": "other",
    "deepcopy": "other",
    "non_leaf_optimized": "other",
    "no_grad_view": "view",
    "inference_view": "view",
    "custom_view": "view",
    "wrt": "no_grad_graph",
}


def machine_story(text: str) -> Story:
    """What the machine tells of the first error; empty when there is none."""
    from autograd_hazards.machine import run_text

    event = next((event for event in run_text(text, FILENAME) if event.loud and not event.caught), None)
    if event is None:
        return []
    node = event.data.get("node")
    saved = node.trace.site.row if node is not None and event.kind in ("version", "freed") else 0
    other = {"version": "changed", "freed": "first"}.get(event.kind)
    return [NAMES.get(event.kind, event.kind), event.fails.row, saved, event.data[other].site.row if other else 0]


def witness_story(record: dict[str, Any]) -> Story:
    """The same from what was recorded."""
    event = next((event for event in record["events"] if event["loud"] and not event["caught"]), None)
    if event is None:
        return []
    kind = event["kind"]
    if kind in ("version", "freed") and "write" not in event and "first" not in event:
        return [kind, event["where"][0]["row"], 0, 0]  # the recorder does not know why
    saved = event["node"]["at"][0]["row"] if kind in ("version", "freed") else 0
    other = {"version": lambda: event["write"]["at"], "freed": lambda: event["first"]}.get(kind)
    return [NAMES.get(kind, kind), event["where"][0]["row"], saved, other()[0]["row"] if other else 0]


def _serve() -> None:
    import torch
    import torch._dynamo  # optimizers import it at their first step

    from autograd_hazards.trace.install import Recording
    from autograd_hazards.trace.record import to_dict

    def give_up(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, give_up)
    torch.set_num_threads(1)
    answers = os.fdopen(os.dup(1), "w")
    sys.stdout = sys.stderr
    for line in sys.stdin:
        stories = []
        for text in json.loads(line):
            torch.manual_seed(0)
            recording = Recording()
            recording.start()
            signal.alarm(PATIENCE)
            raised = ""
            try:
                exec(compile(text, FILENAME, "exec"), {"__name__": "__main__"})
            except Exception as error:  # noqa: BLE001 - whatever the program raises is the answer
                raised = str(error)
                recording.uncaught(error)
            finally:
                signal.alarm(0)
                recording.stop()
                torch.set_grad_enabled(True)
            record = to_dict(recording)
            stories.append([witness_story(record), raised, record["failures"]])
        answers.write(json.dumps(stories) + "\n")
        answers.flush()


class Worker:
    """The process with torch. Use it in a ``with`` statement."""

    def __init__(self, python: str = sys.executable) -> None:
        self.python = python

    def __enter__(self) -> Worker:
        command = [self.python, "-B", "-W", "ignore", __file__, "--worker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=60)

    def ask(self, texts: list[str]) -> None:
        """Hand over programs."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(texts) + "\n")
        self._process.stdin.flush()

    def answer(self) -> list[tuple[Story, str, list[str]]]:
        """For each program of the oldest ``ask``: the story, the message that it ended with, failures of the recorder."""
        assert self._process.stdout is not None
        return [tuple(entry) for entry in json.loads(self._process.stdout.readline())]  # type: ignore[misc]


def disagreements(first: int, count: int, worker: Worker) -> tuple[int, list[tuple[int, str, Story, Story, list[str]]]]:
    """How many programs raise an error of autograd, and where the two stories differ: (seed, text, witness, machine, …)."""
    from tests.differential.generate import program
    from tests.differential.verdict import kind_of

    raising, wrong = 0, []
    for start in range(first, first + count, BATCH):
        seeds = range(start, min(start + BATCH, first + count))
        texts = [program(seed) for seed in seeds]
        worker.ask(texts)
        machine = [machine_story(text) for text in texts]
        for seed, text, told, (seen, message, failures) in zip(seeds, texts, machine, worker.answer(), strict=True):
            if message and kind_of(message) is None:
                continue  # an error that autograd has no part in
            raising += bool(message)
            if failures or ((message or seen) and seen != told):
                wrong.append((seed, text, seen, told, failures))
    return raising, wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trace.stories", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first program's number")
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--show", type=int, default=5, help="how many disagreements to print")
    parser.add_argument("--worker", action="store_true", help="be the process with torch")
    options = parser.parse_args()
    if options.worker:
        _serve()
        return 0
    with Worker() as worker:
        raising, wrong = disagreements(options.seed, options.count, worker)
    print(f"{raising - len(wrong)} of {raising} stories agree")
    for (seen, told), times in Counter((str(w[2][:1]), str(w[3][:1])) for w in wrong).most_common():
        print(f"{times:5} witness {seen}, machine {told}")
    for seed, text, seen, told, failures in wrong[: options.show]:
        print(f"--- seed {seed}: witness {seen}, machine {told} {failures}")
        print("".join(f"{row:4} {line}\n" for row, line in enumerate(text.splitlines(), 1)), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
