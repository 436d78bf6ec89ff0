"""Edit a composed kernel by the path to one of its parts.

A path is the indices from the root: () is the kernel itself, (1, 0) the first part of its second part."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import add, mul

from kernelviz.engine.kernels.base import Kernel, Scaled, Sum

Path = tuple[int, ...]


def walk(kernel: Kernel, path: Path = ()) -> Iterator[tuple[Path, Kernel]]:
    """Yield every node with its path, parents first."""
    yield path, kernel
    for k, part in enumerate(kernel.parts):
        yield from walk(part, (*path, k))


def at(kernel: Kernel, path: Path) -> Kernel | None:
    """Return the node at a path, or None if there is none."""
    for k in path:
        if k >= len(kernel.parts):
            return None
        kernel = kernel.parts[k]
    return kernel


def first_leaf(kernel: Kernel) -> Path:
    """Return the path of the leftmost base kernel."""
    return next(path for path, node in walk(kernel) if not node.parts)


def path_of(kernel: Kernel, node: Kernel) -> Path | None:
    """Return the path of this very object."""
    return next((path for path, found in walk(kernel) if found is node), None)


def replaced(kernel: Kernel, path: Path, node: Kernel) -> Kernel:
    """Return the kernel with another node at a path."""
    if not path:
        return node
    parts = list(kernel.parts)
    parts[path[0]] = replaced(parts[path[0]], path[1:], node)
    return _rebuilt(kernel, parts)


def removed(kernel: Kernel, path: Path) -> Kernel:
    """Return the kernel without a node. A multiple loses its number; a scaled part goes with its number.

    The last kernel cannot be removed: then nothing changes."""
    node = at(kernel, path)
    if isinstance(node, Scaled):
        return replaced(kernel, path, node.inner)
    while path and isinstance(at(kernel, path[:-1]), Scaled):
        path = path[:-1]
    if not path:
        return kernel
    parent = _node(kernel, path[:-1])
    parts = [part for k, part in enumerate(parent.parts) if k != path[-1]]
    return replaced(kernel, path[:-1], _rebuilt(parent, parts))


def added(kernel: Kernel, path: Path, term: Kernel) -> Kernel:
    """Return the kernel with a term added to the node."""
    return replaced(kernel, path, _node(kernel, path) + term)


def multiplied(kernel: Kernel, path: Path, factor: Kernel | float) -> Kernel:
    """Return the kernel with the node multiplied by a factor, another kernel or a number in front."""
    return replaced(kernel, path, _node(kernel, path) * factor)


def turned(kernel: Kernel, path: Path) -> Kernel:
    """Return the kernel with a sum turned into the product of its terms, or the reverse."""
    node = _node(kernel, path)
    return replaced(kernel, path, reduce(mul if isinstance(node, Sum) else add, node.parts))


def _node(kernel: Kernel, path: Path) -> Kernel:
    """Return the node at a path that exists."""
    return reduce(lambda node, k: node.parts[k], path, kernel)


def _rebuilt(parent: Kernel, parts: list[Kernel]) -> Kernel:
    """Return the same composition of other parts, in the canonical shape of compositions."""
    if isinstance(parent, Sum):
        return reduce(add, parts)
    product = reduce(mul, parts)
    return product * parent.scale if isinstance(parent, Scaled) else product
