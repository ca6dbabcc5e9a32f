"""Messages remember how they were made: through formatting, pickling and the on-disk cache."""

from __future__ import annotations

import json
import pickle

import pytest

from autograd_hazards.messages import Text, joined, moved, pack, quoted, say, unpack


def test_a_message_is_its_english_text() -> None:
    text = say("`{op}` saves {what} here", op="tanh", what=say("its result"))
    assert text == "`tanh` saves its result here"
    assert hash(text) == hash("`tanh` saves its result here")
    assert text in {"`tanh` saves its result here"}
    assert (text.template, dict(text.arguments)) == (
        "`{op}` saves {what} here",
        {"op": "tanh", "what": "its result"},
    )


def test_an_argument_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        say("`{op}` saves it here")


def test_arguments_of_other_kinds_are_kept_as_their_text() -> None:
    assert say("cannot be read: {error}", error=OSError("gone")).arguments["error"] == "gone"


@pytest.mark.parametrize(
    "through", [lambda t: pickle.loads(pickle.dumps(t)), lambda t: unpack(json.loads(json.dumps(pack(t))))]
)
def test_a_message_survives_processes_and_the_cache(through) -> None:  # type: ignore[no-untyped-def]
    text = say(
        "{name} in line {line}: {reason}", name="`a`", line=3, reason=joined([say("one"), say("two")], say("; "))
    )
    again = through(text)
    assert again == text == "`a` in line 3: one; two"
    assert isinstance(again, Text)
    assert again.template == text.template
    reason = again.arguments["reason"]
    assert isinstance(reason, Text)
    assert isinstance(reason.arguments["separator"], Text)
    assert again.arguments["line"] == 3


def test_text_that_is_no_message_is_packed_as_it_is() -> None:
    assert unpack(pack("plain {text}")) == "plain {text}"
    assert not isinstance(unpack(pack("plain")), Text)


def test_lines_move_and_nothing_else_does() -> None:
    lost = say("lines {first}-{last}", first=3, last=5)
    text = say("Syntax error, so {lost} are not analysed: {count} in line {line}", lost=lost, count=3, line=4)
    assert moved(text, 10) == "Syntax error, so lines 13-15 are not analysed: 3 in line 14"
    assert moved("line 4", 10) == "line 4"


def test_lists() -> None:
    assert joined([], say(", ")) == ""
    assert quoted(["a", "b.c"]) == "`a`, `b.c`"
