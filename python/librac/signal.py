"""Signal, with the methods that are written in Python."""

from . import _librac, arrays, diagram, extremes, forms, names, ops, queues, values, waiting, weak
from . import notes as notes  # adds its hook
from . import room as room  # adds methods of Observer and Subject
from . import scoped as scoped  # adds those of `async with`
from ._librac import Signal

__all__ = ["Signal"]

names.translate()
for _name, _function in {
    "__aiter__": values.iterate,
    "__await__": waiting.last_value,
    "__or__": ops.apply,
    "_repr_html_": diagram.html,
    "first": waiting.first,
    "marble": diagram.marble,
    "max": extremes.greatest,
    "min": extremes.least,
    "pipe": ops.pipe,
    "subscribe_weak": weak.subscribe_weak,
    "to_queue": queues.to_queue,
    "subscribe_arrays": arrays.subscribe_arrays,
    "values": values.values,
    "wait": waiting.wait,
    **forms.METHODS,
}.items():
    _function.__name__ = _name
    _function.__qualname__ = "Signal." + _name
    setattr(Signal, _name, _function)

ops.fill()
