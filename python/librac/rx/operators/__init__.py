"""reactivex.operators: functions from an observable to another."""

from . import (
    _clock,
    _each,
    _ends,
    _groups,
    _inner,
    _one,
    _pairs,
    _several,
    _sharing,
    _some,
    _time,
    _total,
    _windows,
)
from ._clock import *
from ._each import *
from ._ends import *
from ._groups import *
from ._inner import *
from ._one import *
from ._pairs import *
from ._several import *
from ._sharing import *
from ._some import *
from ._time import *
from ._total import *
from ._windows import *

__all__: list[str] = []
__all__ += _clock.__all__
__all__ += _each.__all__
__all__ += _ends.__all__
__all__ += _groups.__all__
__all__ += _inner.__all__
__all__ += _one.__all__
__all__ += _pairs.__all__
__all__ += _several.__all__
__all__ += _sharing.__all__
__all__ += _some.__all__
__all__ += _time.__all__
__all__ += _total.__all__
__all__ += _windows.__all__
