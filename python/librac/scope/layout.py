"""A layered layout: boxes in columns from left to right, arrows between them.

The method is Sugiyama's: break cycles, give each box a column, order the boxes of a column so
that few arrows cross, then move them towards their neighbours. Parts that are not connected are
laid out alone and stand below one another.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

Key = Hashable
_K = TypeVar("_K", bound=Hashable)
_SWEEPS = 8
_LINE_HEIGHT = 10.0  # what a long arrow takes in a column that it passes


@dataclass(slots=True)
class Box:
    """A rectangle; `x`, `y` is its upper left corner once it is laid out."""

    key: Key
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0


@dataclass(slots=True)
class Arrow:
    """From one box to another. `points` is its way: from the edge of the one to the edge of the
    other, through the columns between."""

    source: Key
    target: Key
    label_width: float = 0.0
    points: list[tuple[float, float]] = field(default_factory=list)


@dataclass(slots=True)
class Spacing:
    between_boxes: float = 26.0
    between_parts: float = 34.0
    shortest_arrow: float = 46.0


@dataclass(slots=True)
class _Cell:
    """A box in its column, or the place at which an arrow passes the column."""

    box: Box | None
    left: list[_Cell] = field(default_factory=list)
    right: list[_Cell] = field(default_factory=list)
    column: int = 0
    rank: int = 0
    y: float = 0.0  # its middle

    @property
    def height(self) -> float:
        return self.box.height if self.box else _LINE_HEIGHT


def lay_out(
    boxes: Iterable[Box], arrows: Iterable[Arrow], spacing: Spacing | None = None
) -> tuple[float, float]:
    """Sets the places of the boxes and the ways of the arrows; gives width and height."""
    spacing = spacing or Spacing()
    by_key = {box.key: box for box in boxes}
    used = [a for a in arrows if a.source in by_key and a.target in by_key]
    width = top = 0.0
    for keys in connected(by_key, ((arrow.source, arrow.target) for arrow in used)):
        inside = [arrow for arrow in used if arrow.source in keys]
        part = _Part({key: by_key[key] for key in by_key if key in keys}, inside, spacing)
        wide, high = part.place(top)
        width = max(width, wide)
        top += high + spacing.between_parts
    return width, max(0.0, top - spacing.between_parts)


def connected(keys: Iterable[_K], pairs: Iterable[tuple[_K, _K]]) -> list[set[_K]]:
    """The connected parts, in the order of their first keys; pairs with others do not count."""
    near: dict[_K, list[_K]] = {key: [] for key in keys}
    for one, other in pairs:
        if one in near and other in near:
            near[one].append(other)
            near[other].append(one)
    found: list[set[_K]] = []
    seen: set[_K] = set()
    for start in near:
        if start in seen:
            continue
        part, waiting = {start}, [start]
        while waiting:
            for key in near[waiting.pop()]:
                if key not in part:
                    part.add(key)
                    waiting.append(key)
        seen |= part
        found.append(part)
    return found


class _Part:
    def __init__(self, boxes: dict[Key, Box], arrows: list[Arrow], spacing: Spacing) -> None:
        self.boxes, self.spacing = boxes, spacing
        self.cells = {key: _Cell(box) for key, box in boxes.items()}
        self.arrows = [arrow for arrow in arrows if arrow.source != arrow.target]
        self.loops = [arrow for arrow in arrows if arrow.source == arrow.target]
        self.backward = self._find_backward()
        self._set_columns()
        self.ways = [self._make_way(arrow) for arrow in self.arrows]
        self.columns = self._make_columns()

    def _ends(self, arrow: Arrow) -> tuple[Key, Key]:
        """Source and target, as if no arrow led back."""
        if id(arrow) in self.backward:
            return arrow.target, arrow.source
        return arrow.source, arrow.target

    def _find_backward(self) -> set[int]:
        """The arrows that close a cycle, found depth first."""
        leaving: dict[Key, list[Arrow]] = {key: [] for key in self.boxes}
        for arrow in self.arrows:
            leaving[arrow.source].append(arrow)
        backward: set[int] = set()
        state: dict[Key, int] = {}  # 1: on the way, 2: done
        targets = {arrow.target for arrow in self.arrows}
        # From the sources first, so that an arrow back is one that looks like it.
        for start in sorted(self.boxes, key=lambda key: key in targets):
            stack = [(start, iter(leaving[start]))] if start not in state else []
            state.setdefault(start, 1)
            while stack:
                key, rest = stack[-1]
                for arrow in rest:
                    if state.get(arrow.target) == 1:
                        backward.add(id(arrow))
                    elif arrow.target not in state:
                        state[arrow.target] = 1
                        stack.append((arrow.target, iter(leaving[arrow.target])))
                        break
                else:
                    state[key] = 2
                    stack.pop()
        return backward

    def _set_columns(self) -> None:
        """The longest way from a source; then sources move next to what they feed."""
        targets: dict[Key, list[Key]] = {key: [] for key in self.boxes}
        missing = dict.fromkeys(self.boxes, 0)
        for arrow in self.arrows:
            source, target = self._ends(arrow)
            targets[source].append(target)
            missing[target] += 1
        sources = [key for key, count in missing.items() if count == 0]
        ready = list(sources)
        while ready:
            key = ready.pop()
            for target in targets[key]:
                at = self.cells[target]
                at.column = max(at.column, self.cells[key].column + 1)
                missing[target] -= 1
                if missing[target] == 0:
                    ready.append(target)
        for key in sources:
            if targets[key]:
                self.cells[key].column = min(self.cells[t].column for t in targets[key]) - 1

    def _make_way(self, arrow: Arrow) -> list[_Cell]:
        """The cells that an arrow goes through; new ones in the columns between."""
        source, target = (self.cells[key] for key in self._ends(arrow))
        way = [source]
        for column in range(source.column + 1, target.column):
            way.append(_Cell(None, column=column))
        way.append(target)
        for one, next in zip(way, way[1:]):
            one.right.append(next)
            next.left.append(one)
        return way

    def _make_columns(self) -> list[list[_Cell]]:
        first = min(cell.column for cell in self.cells.values())
        count = max(cell.column for cell in self.cells.values()) - first + 1
        columns: list[list[_Cell]] = [[] for _ in range(count)]
        passing = [cell for way in self.ways for cell in way[1:-1]]
        for cell in [*self.cells.values(), *passing]:
            cell.column -= first
            columns[cell.column].append(cell)
        best, fewest = [list(column) for column in columns], _crossings(columns)
        for sweep in range(_SWEEPS):
            if fewest == 0:
                break
            _order(columns, forward=sweep % 2 == 0)
            count = _crossings(columns)
            if count < fewest:
                best, fewest = [list(column) for column in columns], count
        for column in best:
            for rank, cell in enumerate(column):
                cell.rank = rank
        return best

    def place(self, top: float) -> tuple[float, float]:
        """Sets the places, below `top`; gives the part's width and height."""
        gap = self.spacing.between_boxes
        for column in self.columns:
            y = 0.0
            for cell in column:
                cell.y = y + cell.height / 2
                y += cell.height + gap
        for sweep in range(2 * _SWEEPS):
            order = self.columns if sweep % 2 else self.columns[::-1]
            for column in order:
                _move(column, gap)
        cells = [cell for column in self.columns for cell in column]
        shift = top - min(cell.y - cell.height / 2 for cell in cells)
        for cell in cells:
            cell.y += shift
        width = self._place_columns()
        self._draw_arrows()
        bottom = max(cell.y + cell.height / 2 for cell in cells)
        return width, bottom - top + (24 if self.loops else 0)

    def _place_columns(self) -> float:
        labels = [0.0] * len(self.columns)
        for arrow, way in zip(self.arrows, self.ways):
            # The label is above the arrow's first stretch.
            before = way[-2 if id(arrow) in self.backward else 0].column
            labels[before] = max(labels[before], arrow.label_width)
        x = 0.0
        for column, label in zip(self.columns, labels):
            wide = max((cell.box.width for cell in column if cell.box), default=0.0)
            for cell in column:
                if cell.box:
                    cell.box.x = x + (wide - cell.box.width) / 2
                    cell.box.y = cell.y - cell.box.height / 2
            x += wide
            if column is not self.columns[-1]:
                x += max(self.spacing.shortest_arrow, label + 22)
        self._middles = _middles(self.columns)
        return x

    def _draw_arrows(self) -> None:
        for arrow, way in zip(self.arrows, self.ways):
            first, last = way[0].box, way[-1].box
            assert first and last
            points = [(first.x + first.width, way[0].y)]
            points += [(self._middles[cell.column], cell.y) for cell in way[1:-1]]
            points.append((last.x, way[-1].y))
            arrow.points = points[::-1] if id(arrow) in self.backward else points
        for arrow in self.loops:
            box = self.boxes[arrow.source]
            right, low = box.x + box.width, box.y + box.height
            arrow.points = [(right - 12, low), (right - 24, low + 20), (right - 36, low)]


def _middles(columns: list[list[_Cell]]) -> list[float]:
    found = []
    for column in columns:
        boxes = [cell.box for cell in column if cell.box]
        found.append(sum(box.x + box.width / 2 for box in boxes) / len(boxes))
    return found


def _order(columns: list[list[_Cell]], *, forward: bool) -> None:
    """Orders each column by where its neighbours in the one before are."""
    for column in columns:
        for rank, cell in enumerate(column):
            cell.rank = rank
    for column in columns if forward else columns[::-1]:

        def wish(cell: _Cell) -> float:
            near = cell.left if forward else cell.right
            return sum(each.rank for each in near) / len(near) if near else float(cell.rank)

        column.sort(key=wish)
        for rank, cell in enumerate(column):
            cell.rank = rank


def _crossings(columns: list[list[_Cell]]) -> int:
    """How many pairs of arrows cross between neighbouring columns."""
    total = 0
    for column in columns:
        for rank, cell in enumerate(column):
            cell.rank = rank
    for column in columns:
        ends: list[int] = []
        for cell in column:
            for rank in sorted(each.rank for each in cell.right):
                total += sum(1 for end in ends if end > rank)
                ends.append(rank)
    return total


def _move(column: list[_Cell], gap: float) -> None:
    """Moves the cells as close to the middle of their neighbours as their order allows.

    This is a least squares fit with an order: wishes that collide are pooled, and the pool
    stands at their average.
    """
    pools: list[tuple[float, int]] = []  # the average wish, and of how many
    offset, offsets = 0.0, []
    for index, cell in enumerate(column):
        if index:
            offset += (column[index - 1].height + cell.height) / 2 + gap
        offsets.append(offset)
        near = [*cell.left, *cell.right]
        wish = (sum(each.y for each in near) / len(near) if near else cell.y) - offset
        pools.append((wish, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (one, n), (two, m) = pools[-2], pools[-1]
            pools[-2:] = [((one * n + two * m) / (n + m), n + m)]
    index = 0
    for wish, count in pools:
        for _ in range(count):
            column[index].y = wish + offsets[index]
            index += 1
