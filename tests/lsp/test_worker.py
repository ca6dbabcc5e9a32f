"""The thread that analyses: what goes first, what is given up, and what cannot stop it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from functools import partial

import pytest

from autograd_hazards.limits import checkpoint
from autograd_hazards.lsp.worker import BACKGROUND, EDIT, REQUEST, Worker

LIMIT = 20.0


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    made.start()
    yield made
    made.end()


def endless(started: threading.Event) -> Callable[[], None]:
    """Work that only ends when it is stopped."""

    def work() -> None:
        started.set()
        while True:
            checkpoint()
            time.sleep(0.001)

    return work


def test_work_without_a_key_replaces_nothing(worker: Worker) -> None:
    started, go = threading.Event(), threading.Event()

    def first() -> int:
        started.set()
        go.wait(LIMIT)
        return 1

    one = worker.submit(None, REQUEST, first)
    assert started.wait(LIMIT)
    others = [worker.submit(None, REQUEST, partial(int, n)) for n in range(2, 5)]
    go.set()
    assert [future.result(LIMIT) for future in (one, *others)] == [1, 2, 3, 4]


def test_what_pauses_can_be_replaced_and_holds_back_what_is_less_urgent(worker: Worker) -> None:
    done: list[str] = []
    began = time.monotonic()
    never = worker.submit("a", EDIT, lambda: done.append("never"), pause=0.2)
    late = worker.submit("a", EDIT, lambda: done.append("edit"), pause=0.4)
    behind = worker.submit("b", BACKGROUND, lambda: done.append("background"))
    also = worker.submit("c", BACKGROUND, lambda: done.append("at once"), pause=0.1)
    worker.submit("d", EDIT, lambda: done.append("first")).result(LIMIT)
    assert done == ["first"]
    for future in (late, behind, also):
        future.result(LIMIT)
    assert never.cancelled() and time.monotonic() - began >= 0.4
    assert done == ["first", "edit", "background", "at once"]


@pytest.mark.parametrize("priority", [EDIT, REQUEST])
def test_what_takes_longer_than_its_turn_lets_others_go_first(worker: Worker, priority: int) -> None:
    started, enough = threading.Event(), threading.Event()
    runs: list[str] = []

    def long() -> str:
        runs.append("long")
        started.set()
        while not enough.is_set():
            checkpoint()
            time.sleep(0.001)
        return "done"

    huge = worker.submit("huge", EDIT, long)
    assert started.wait(LIMIT)
    time.sleep(0.3)
    assert worker.submit("other", priority, lambda: runs.append("other")).result(LIMIT) is None
    enough.set()
    assert huge.result(LIMIT) == "done"
    assert runs == ["long", "other", "long"]


def test_results_come_back(worker: Worker) -> None:
    assert worker.submit("a", EDIT, lambda: 5).result(LIMIT) == 5


def test_a_newer_job_of_the_same_key_stops_the_older(worker: Worker) -> None:
    started = threading.Event()
    old = worker.submit("a", EDIT, endless(started))
    assert started.wait(LIMIT)
    assert worker.submit("a", EDIT, lambda: "new").result(LIMIT) == "new"
    with pytest.raises(CancelledError):
        old.result(LIMIT)
    assert worker.gave_up(old)


def test_urgent_work_goes_first_and_the_rest_starts_again(worker: Worker) -> None:
    started, again = threading.Event(), threading.Event()
    runs = []

    def slow() -> str:
        runs.append(1)
        started.set()
        while not again.is_set():
            checkpoint()
            time.sleep(0.001)
        return "slow"

    background = worker.submit("slow", BACKGROUND, slow)
    assert started.wait(LIMIT)
    assert worker.submit("quick", REQUEST, lambda: "quick").result(LIMIT) == "quick"
    again.set()
    assert background.result(LIMIT) == "slow" and len(runs) == 2


def test_of_waiting_jobs_the_most_urgent_is_next(worker: Worker) -> None:
    hold = threading.Event()
    order: list[str] = []
    worker.submit("hold", EDIT, lambda: hold.wait(LIMIT))
    futures = [
        worker.submit(name, priority, lambda name=name: order.append(name))  # type: ignore[misc]
        for name, priority in (("late", BACKGROUND), ("asked", REQUEST), ("typed", EDIT))
    ]
    hold.set()
    for future in futures:
        future.result(LIMIT)
    assert order == ["typed", "asked", "late"]


def test_a_job_may_be_taken_back(worker: Worker) -> None:
    started = threading.Event()
    running = worker.submit("a", EDIT, endless(started))
    waiting = worker.submit("b", EDIT, lambda: None)
    assert started.wait(LIMIT)
    worker.cancel(waiting)
    worker.withdraw("a")
    for future in (running, waiting):
        with pytest.raises(CancelledError):
            future.result(LIMIT)
    assert worker.submit("c", EDIT, lambda: 1).result(LIMIT) == 1


def test_work_that_is_stuck_is_given_up_by_its_limit(worker: Worker) -> None:
    def stuck() -> None:
        while True:
            pass

    future = worker.submit("a", EDIT, stuck, limit=0.05)
    until = time.monotonic() + LIMIT
    while not future.done() and time.monotonic() < until:
        worker.relieve()
        time.sleep(0.02)
    with pytest.raises(TimeoutError):
        future.result(0)
    assert worker.submit("b", EDIT, lambda: 1).result(LIMIT) == 1


def test_a_failure_stops_nothing(worker: Worker) -> None:
    with pytest.raises(ZeroDivisionError):
        worker.submit("a", EDIT, lambda: 1 // 0).result(LIMIT)
    assert worker.submit("a", EDIT, lambda: 1).result(LIMIT) == 1
    assert not worker.busy
