"""Parsing that never fails: a syntax error costs its own top-level block, the rest keeps its true rows.

A text that parses as a whole costs one ``ast.parse``. Otherwise its blocks are parsed one by one, and of a broken class
only the broken members are lost. With the previous version at hand only the blocks that an edit touched are parsed.
The result depends on the text alone, not on how it came about.
"""

from __future__ import annotations

import ast
import keyword
import re
import sys
import threading
import warnings
from dataclasses import dataclass, field, replace

from autograd_hazards.findings import Place
from autograd_hazards.source.blocks import (
    Chunk,
    Scan,
    chunks_at,
    code_in_brackets,
    code_in_strings,
    scan_blocks,
    split_blocks,
    split_class,
    starts_after,
    starts_block,
)
from autograd_hazards.source.diagnose import Trouble, diagnose, is_python2, merged, python2_sentence
from autograd_hazards.source.graft import Side, edit_member, graft, positioned, shift
from autograd_hazards.source.older import modernised
from autograd_hazards.source.positions import column_from_utf8, split_lines, unify_newlines

# What ast.parse raises on a text: no Python, a NUL, nested more deeply than the parser goes.
_REFUSALS = (SyntaxError, ValueError, RecursionError, MemoryError)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ASSIGNED = re.compile(r"^\s*([^\W\d]\w*)\s*(?:[-+*/@&|^%]|//|\*\*|<<|>>)?=(?!=)")
_NO_NAMES = frozenset(keyword.kwlist)
_DEFINED_AT_TOP = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_DEFINED = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_DEEPEST = 3000
_MOST_BROKEN = 3  # members of a class that are named one by one
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """A part of the text that cannot be read, in one sentence."""

    place: Place
    message: str


@dataclass(eq=False, slots=True)
class Block:
    """One top-level statement (or some on one line) with what trails it: rows ``first`` to ``last``, from 1.

    ``body`` has the rows of the file. ``troubles`` have rows within the block; ``dropped`` are the names of functions
    and classes that could not be read (``Model.forward`` for a method).
    """

    first: int
    last: int
    text: str
    body: list[ast.stmt]
    troubles: tuple[Trouble, ...] = ()
    dropped: tuple[str, ...] = ()
    unread: tuple[tuple[int, str], ...] = ()
    open: bool = False  # it is not complete, and only the next block's first line ends it
    torn: bool = False  # it was cut from what follows by a guess
    stale: bool = False  # its body is that of an earlier text, since this one does not parse
    _nodes: list[ast.AST] | None = None  # those that have rows, once the block was moved

    def move(self, first: int) -> None:
        """Make the block start in the row ``first``. Changes its nodes, so every tree that holds them."""
        rows = first - self.first
        if rows:
            if self._nodes is None:
                self._nodes = positioned(self.body)
            for node in self._nodes:
                inner = node.__dict__
                inner["lineno"] += rows
                if inner.get("end_lineno") is not None:
                    inner["end_lineno"] += rows
            self.first += rows
            self.last += rows


@dataclass(eq=False)
class ParsedFile:
    """A text and the statements that could be read from it. ``tree`` has the rows of ``text``.

    ``python2`` says that the file is written for Python 2 (one problem says so, instead of one per block).
    ``facts`` holds what later layers computed once from the tree, under their own keys.
    """

    filename: str
    text: str
    tree: ast.Module
    problems: list[SyntaxProblem] = field(default_factory=list)
    python2: bool = False
    dropped: frozenset[str] = frozenset()
    unread: tuple[tuple[int, str], ...] = ()  # names that statements which cannot be read set, with their rows
    facts: dict[str, object] = field(default_factory=dict)
    skeleton: object = field(default_factory=object)  # the same object while only bodies of functions change
    _lines: list[str] | None = None
    _blocks: list[Block] | None = None

    @property
    def lines(self) -> list[str]:
        """The lines without their ends."""
        if self._lines is None:
            self._lines = split_lines(self.text)
        return self._lines

    @property
    def blocks(self) -> list[Block]:
        """The top-level blocks, in order and without gaps; the broken ones have troubles."""
        if self._blocks is None:
            self._blocks = _blocks_of(_clean(self.text), self.tree)
        return self._blocks

    def place(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.ExceptHandler | ast.alias) -> Place:
        """Where a node of the tree stands."""
        return self.place_of(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)

    def place_of(self, row: int, offset: int, end_row: int | None, end_offset: int | None) -> Place:
        """The place of a range as ``ast`` gives it: rows from 1, offsets in UTF-8 bytes. Clamped to the text."""
        lines = self.lines
        if end_row is None:
            end_row = row
        if end_offset is None:
            end_offset = offset
        row = min(row, len(lines))
        end_row = min(end_row, len(lines))
        return Place(
            self.filename,
            row,
            column_from_utf8(lines[row - 1], offset),
            end_row,
            column_from_utf8(lines[end_row - 1], end_offset),
        )


def parse(text: str, filename: str, previous: ParsedFile | None = None, *, typing: bool = False) -> ParsedFile:
    """Parse a text. Never raises; what cannot be read is missing from the tree and named in ``problems``.

    ``previous`` is an earlier version of the same file that the caller gives up: blocks that the edit left alone are
    taken over from it, and moved up or down, so neither its tree nor that of a version before it may be used again.
    With ``typing`` a block that no longer parses keeps the statements that it had, as near to their rows as can be;
    without, the result depends on the text alone.
    """
    clean = _clean(text)
    if previous is not None:
        edit = _edited(_clean(previous.text), previous.blocks, clean, typing)
        if edit is None:
            return _assemble(text, filename, _read_all(split_blocks(clean), _by_text(previous.blocks)))
        parsed = _assemble(text, filename, edit.blocks)
        if edit.alike:
            parsed.skeleton = previous.skeleton
        return parsed
    try:
        return ParsedFile(filename, text, _parse(clean))
    except _REFUSALS:
        return _assemble(text, filename, _read_all(split_blocks(clean), {}))


def _clean(text: str) -> str:
    """The text as the parser takes it, with rows and columns unchanged."""
    if "\r" in text:
        text = unify_newlines(text)
    if not text.isascii() and _SURROGATE.search(text):
        text = _SURROGATE.sub("\ufffd", text)  # as wide in UTF-8
    return text


def _parse(text: str) -> ast.Module:
    """``ast.parse`` without the warnings about odd literals, and with a depth that the C stack can bear."""
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        limit = sys.getrecursionlimit()
        if limit <= _DEEPEST:
            return ast.parse(text)
        try:
            sys.setrecursionlimit(_DEEPEST)
        except RecursionError:  # the caller is deeper than that already
            return ast.parse(text)
        try:
            return ast.parse(text)
        finally:
            sys.setrecursionlimit(limit)


def _by_text(blocks: list[Block]) -> dict[str, list[Block]]:
    """The whole blocks by their text, the first at the end."""
    known: dict[str, list[Block]] = {}
    for block in reversed(blocks):
        if not (block.troubles or block.torn):
            known.setdefault(block.text, []).append(block)
    return known


def _read_all(chunks: list[Chunk], known: dict[str, list[Block]]) -> list[Block]:
    """The blocks of these chunks, taken from those known (by text) or parsed.

    A broken chunk may be cut further, where a bracket or a string was left open.
    """
    blocks: list[Block] = []
    pending = [(chunk, False) for chunk in reversed(chunks)]
    budget = 50 + 20 * sum(len(chunk.text) for chunk in chunks)  # so that no text takes quadratic time
    while pending:
        chunk, torn = pending.pop()
        if not torn and (same := known.get(chunk.text)):
            block = same.pop()
            block.move(chunk.first)
            blocks.append(block)
            continue
        try:
            tree = _parse(chunk.text)
        except _REFUSALS as error:
            scan = scan_blocks(chunk.text)
            rest = _after_break(chunk.text, scan, error) if budget > 0 else -1
            if rest > 0:
                budget -= len(chunk.text)
                head, tail = chunk.text[:rest], chunk.text[rest:]
                row = chunk.first + head.count("\n")
                pending.extend((part, torn) for part in reversed(chunks_at(tail, scan_blocks(tail).starts, row)))
                pending.append((Chunk(chunk.first, row - 1, head), True))
                continue
            block = _salvage(chunk, error)
            block.open = not scan.whole
        else:
            if chunk.first > 1:
                shift(tree.body, chunk.first - 1)
            block = Block(chunk.first, chunk.last, chunk.text, tree.body)
        block.torn = torn
        blocks.append(block)
    return blocks


def _after_break(text: str, scan: Scan, error: Exception) -> int:
    """Where in a broken chunk code goes on that has nothing to do with the break; -1 for nowhere."""
    row = error.lineno if isinstance(error, SyntaxError) and error.lineno else 1
    offset = code_in_strings(text, scan, row)
    return offset if offset > 0 else code_in_brackets(text, scan)


def _salvage(chunk: Chunk, error: Exception) -> Block:
    """The block of a chunk that does not parse: as an older Python reads it, or the members of a class that do."""
    text = chunk.text
    older = _older(text)
    if older is not None:
        code = text.rstrip()
        trouble = replace(diagnose(error, text, 1, code.count("\n") + 1), followed=True)
        if chunk.first > 1:
            shift(older.body, chunk.first - 1)
        return Block(chunk.first, chunk.last, text, older.body, (trouble,))
    split = split_class(text) if "class" in text else None
    if split is not None and len(split[1]) > 1:
        block = _salvage_class(chunk, split[0], split[1])
        if block is not None:
            return block
    code = text.rstrip()
    trouble = diagnose(error, text, 1, code.count("\n") + 1)
    dropped = tuple(_DEFINED_AT_TOP.findall(text)[:1])
    return Block(chunk.first, chunk.last, text, [], (trouble,), dropped, unread=() if dropped else _unread(text))


def _unread(text: str) -> tuple[tuple[int, str], ...]:
    """The names that statements which cannot be read set, with their rows in the text."""
    return tuple(
        (row, name)
        for row, line in enumerate(text.split("\n"), 1)
        for name in _ASSIGNED.findall(line)
        if name not in _NO_NAMES
    )


def _older(text: str) -> ast.Module | None:
    """The tree of a text that an older Python takes: its errors are said, and it is followed all the same."""
    today = modernised(text)
    if today is None:
        return None
    try:
        return _parse(today)
    except _REFUSALS:
        return None


def _salvage_class(chunk: Chunk, body: int, members: list[int]) -> Block | None:
    """A class without its broken members; None when its head is broken or no member is left."""
    text = chunk.text
    head = text[:body]
    named = _DEFINED.search(head)
    if named is None:
        return None
    troubles: list[Trouble] = []
    dropped: list[str] = []
    kept: list[str] = [head]
    alive = False
    row = head.count("\n")
    for index, start in enumerate(members):
        member = text[start : members[index + 1]] if index + 1 < len(members) else text[start:]
        rows = member.count("\n")
        try:
            _parse("if 1:\n" + member)
        except _REFUSALS as error:
            trouble = diagnose(error, "\n" + member, 2, member.rstrip().count("\n") + 2, _member_name(member, named[1]))
            followed = _older("if 1:\n" + member) is not None
            troubles.append(replace(trouble.moved(row - 1), followed=followed))
            if followed:
                alive = True
                kept.append(modernised(member) or member)
            else:
                dropped.extend(f"{named[1]}.{name}" for name in _DEFINED.findall(member)[:1])
                kept.append("\n" * rows)
        else:
            alive = True
            kept.append(member)
        row += rows
    if not alive or not troubles:
        return None
    lost = [trouble for trouble in troubles if not trouble.followed]
    if len(lost) > _MOST_BROKEN and not any(trouble.python2 for trouble in lost):
        troubles = [replace(lost[0], more=len(lost) - 1)]
    try:
        tree = _parse("".join(kept))
    except _REFUSALS:
        return None
    if chunk.first > 1:
        shift(tree.body, chunk.first - 1)
    return Block(chunk.first, chunk.last, text, tree.body, tuple(troubles), tuple(dropped))


def _member_name(member: str, owner: str) -> str:
    named = _DEFINED.search(member)
    return f"{owner}.{named[1]}" if named else owner


@dataclass(frozen=True, slots=True)
class _Edit:
    """The blocks after an edit; ``alike`` says that only bodies of functions have changed."""

    blocks: list[Block]
    alike: bool


def _edited(before: str, blocks: list[Block], after: str, typing: bool) -> _Edit | None:
    """The blocks of ``after``, where ``blocks`` are those of ``before``; None when that cannot be told from the edit.

    What comes before and after the edited blocks is complete by itself, so it means the same in both texts.
    """
    if not blocks or any(block.torn for block in blocks):
        return None
    head = common_prefix(before, after)
    if head == len(before) == len(after):
        return _Edit(blocks, True)
    tail = common_suffix(before, after, min(len(before), len(after)) - head)
    first, start = _block_at(blocks, max(head - 1, 0))
    last, end = _block_at(blocks, max(len(before) - tail - 1, head - 1, 0))
    end += len(blocks[last].text)  # in the old text
    quick = _edited_class(before, blocks, after, first, last, start, end, head, tail)
    if quick is not None:
        return quick
    # A line that starts no block belongs to the block above.
    while first > 0 and not _starts_after(blocks[first - 1], after, start):
        first -= 1
        start -= len(blocks[first].text)
    for _ in range(3):
        region = after[start : len(after) - (len(before) - end)]
        scan = scan_blocks(region)
        if last + 1 == len(blocks) or (region.endswith("\n") and starts_after(scan, blocks[last + 1].text, 0)):
            break
        last += 1
        end += len(blocks[last].text)
    else:
        if not typing:
            return None
        last, region = len(blocks) - 1, after[start:]
        scan = scan_blocks(region)
    row = blocks[first].first
    old = blocks[first : last + 1]
    made = _read_region(region, scan, row)
    if typing and any(block.troubles for block in made):
        edited_row = before.count("\n", 0, head) + 1
        made = [_stale(old, made, region, edited_row, after.count("\n") - before.count("\n"))]
        alike = True
    else:
        alike = _grafted(old, made, before[start:end], region)
    result = blocks[:first] + made
    row += region.count("\n")
    for block in blocks[last + 1 :]:
        block.move(row)
        row = block.last + 1
        result.append(block)
    return _Edit(result, alike)


def _edited_class(
    before: str, blocks: list[Block], after: str, first: int, last: int, start: int, end: int, head: int, tail: int
) -> _Edit | None:
    """The blocks after an edit within one member of a class; None for any other edit."""
    block = blocks[first]
    if first != last or len(block.body) != 1 or block.troubles or block.stale or start == 0:
        return None
    owner = block.body[0]
    if not isinstance(owner, ast.ClassDef):
        return None
    region = after[start : len(after) - (len(before) - end)]
    top = block.first + before.count("\n", start, head)
    bottom = block.first + before.count("\n", start, len(before) - tail)
    rows = region.count("\n") - block.text.count("\n")
    alike = edit_member(owner, block.first, (top, bottom), rows, region, _parse_or_none)
    if alike is None:
        return None
    moved = Block(block.first, block.last + rows, region, block.body)
    result = [*blocks[:first], moved]
    row = moved.last + 1
    for other in blocks[first + 1 :]:
        other.move(row)
        row = other.last + 1
        result.append(other)
    return _Edit(result, alike)


def _parse_or_none(text: str) -> ast.Module | None:
    try:
        return _parse(text)
    except _REFUSALS:
        return None


def _grafted(old: list[Block], new: list[Block], before: str, after: str) -> bool:
    """Take over into ``new`` the nodes of ``old`` that mean the same; whether only bodies of functions have changed."""
    if any(block.troubles and not block.stale for block in old) or any(block.troubles for block in new):
        return False
    mine = [statement for block in old for statement in block.body]
    fresh = [statement for block in new for statement in block.body]
    side = None if any(block.stale for block in old) else Side(before, old[0].first)
    alike = graft(mine, side, fresh, Side(after, new[0].first))
    rest = iter(fresh)
    for block in new:
        block.body = [next(rest) for _ in block.body]
        block._nodes = None
    return alike


def _stale(old: list[Block], new: list[Block], region: str, edited_row: int, rows: int) -> Block:
    """One block that stands for a region that does not parse: the statements it had, the troubles it has."""
    first = new[0].first
    body = [statement for block in old for statement in block.body]
    if rows:
        shift(body, rows, edited_row)
    troubles = tuple(trouble.moved(block.first - first) for block in new for trouble in block.troubles)
    last = first + region.count("\n") - (1 if region.endswith("\n") else 0)
    return Block(first, max(last, first), region, body, troubles, open=new[-1].open, stale=True)


def _starts_after(block: Block, text: str, offset: int) -> bool:
    """Whether the line at ``offset`` starts a block when ``block`` is what comes before it."""
    if block.open:
        return starts_after(scan_blocks(block.text), text, offset)
    return starts_block(text, offset)


def _read_region(region: str, scan: Scan, row: int) -> list[Block]:
    """The blocks of a part of a text that starts in ``row``."""
    try:
        tree = _parse("\n" * (row - 1) + region)
    except _REFUSALS:
        return _read_all(chunks_at(region, scan.starts, row), {})
    return _blocks_of(region, tree, row)


def _blocks_of(text: str, tree: ast.Module, first: int = 1) -> list[Block]:
    """The blocks of a text that parses as a whole and starts in the row ``first``."""
    offsets = [0]
    for line in text.split("\n"):
        offsets.append(offsets[-1] + len(line) + 1)
    starts = [0]
    bodies: list[list[ast.stmt]] = [[]]
    for statement in tree.body:
        decorators = getattr(statement, "decorator_list", None)
        row = min(statement.lineno, decorators[0].lineno) if decorators else statement.lineno
        start = offsets[row - first]
        # Not where a statement follows another on its line, or a form feed, or a line that is continued into this one.
        if statement.col_offset == 0 and not text[start].isspace() and not text.endswith("\\\n", 0, start):
            if start > 0:
                starts.append(start)
                bodies.append([])
        bodies[-1].append(statement)
    chunks = chunks_at(text, starts, first)
    return [Block(chunk.first, chunk.last, chunk.text, body) for chunk, body in zip(chunks, bodies, strict=True)]


def _assemble(text: str, filename: str, blocks: list[Block]) -> ParsedFile:
    """The file that these blocks make up."""
    body: list[ast.stmt] = []
    troubles: list[Trouble] = []
    dropped: list[str] = []
    unread: list[tuple[int, str]] = []
    for block in blocks:
        body.extend(block.body)
        if block.troubles:
            troubles.extend(trouble.moved(block.first - 1) for trouble in block.troubles)
            dropped.extend(block.dropped)
            unread.extend((row + block.first - 1, name) for row, name in block.unread)
    parsed = ParsedFile(
        filename, text, ast.Module(body, []), dropped=frozenset(dropped), unread=tuple(unread), _blocks=blocks
    )
    if not troubles:
        return parsed
    parsed.python2 = is_python2(text, troubles)
    if parsed.python2 and len(troubles) > 1:
        first = next(trouble for trouble in troubles if trouble.python2)
        said = [(first, python2_sentence(troubles))]
    else:
        said = [(trouble, trouble.sentence()) for trouble in merged(troubles, parsed.lines)]
    for trouble, sentence in said:
        place = Place(filename, trouble.row, trouble.column, trouble.row, trouble.end_column)
        parsed.problems.append(SyntaxProblem(place, sentence))
    return parsed


def _block_at(blocks: list[Block], offset: int) -> tuple[int, int]:
    """The index and the start of the block that holds the character at ``offset``; of the last one for the end."""
    start = 0
    for index, block in enumerate(blocks):
        if offset < start + len(block.text):
            return index, start
        start += len(block.text)
    return len(blocks) - 1, start - len(blocks[-1].text)


def common_prefix(one: str, other: str) -> int:
    """How many characters both start with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(one: str, other: str, most: int) -> int:
    """How many characters, at most ``most``, both end with."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
