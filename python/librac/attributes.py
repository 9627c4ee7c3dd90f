"""Attributes that can be observed: a property for each instance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload
from weakref import WeakKeyDictionary

from ._librac import Property

T = TypeVar("T")

__all__ = ["observable"]


class _Kept:
    """A property in an instance's __dict__. Copying and pickling take its value: the
    property stays with its owner."""

    __slots__ = ("owner", "property")

    def __init__(self, owner: int, property: Property[Any]) -> None:
        self.owner, self.property = owner, property

    def value(self) -> Any:
        return self.property.value

    def __reduce__(self) -> Any:
        return _without_owner, (self.value(),)


def _without_owner(value: Any) -> _Kept:
    return _Kept(0, Property(value))


class observable(Generic[T]):
    """An attribute whose changes are heard.

        class Form:
            name = observable("")
            tags = observable(factory=list)

        form = Form()
        form.name = "Ada"               # like any attribute
        Form.name.of(form)              # the property of this form's name
        Form.name.of(form).signal       # its value now, then every change

    `distinct` leaves out what is equal to the value before. `factory` makes the first
    value of each instance, where one object must not be everybody's.
    """

    @overload
    def __init__(self, default: T, *, distinct: bool = False) -> None: ...
    @overload
    def __init__(self, *, factory: Callable[[], T], distinct: bool = False) -> None: ...
    def __init__(
        self, default: Any = None, *, factory: Callable[[], Any] | None = None, distinct: bool = False
    ) -> None:
        self._default, self._factory, self._distinct = default, factory, distinct
        self._name = ""
        # For instances without a __dict__ of their own.
        self._others: WeakKeyDictionary[Any, Property[T]] = WeakKeyDictionary()

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def of(self, instance: object) -> Property[T]:
        """The property behind the attribute of an instance."""
        if instance is None:
            raise TypeError(f"of(): {self._name or 'observable'} is an attribute of instances")
        try:
            # This is a data descriptor, so nobody looks here but itself.
            kept = instance.__dict__
        except AttributeError:
            return self._of_slotted(instance)
        found = kept.get(self._name)
        if isinstance(found, _Kept):
            if found.owner == id(instance):
                return found.property
            # A copy of another instance: it begins with that one's value.
            made = kept[self._name] = _Kept(id(instance), self._make(instance, found.value()))
        else:
            made = _Kept(id(instance), self._make(instance, self._first()))
            made = kept.setdefault(self._name, made)
        return made.property

    def _of_slotted(self, instance: object) -> Property[T]:
        found = self._others.get(instance)
        if found is None:
            found = self._others.setdefault(instance, self._make(instance, self._first()))
        return found

    def _first(self) -> T:
        value: T = self._default if self._factory is None else self._factory()
        return value

    def _make(self, instance: object, value: T) -> Property[T]:
        made = Property(value, distinct=self._distinct)
        made.signal.named(f"{type(instance).__name__}.{self._name}")
        return made

    @overload
    def __get__(self, instance: None, owner: type) -> observable[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else self.of(instance).value

    def __set__(self, instance: object, value: T) -> None:
        self.of(instance).value = value

    def __repr__(self) -> str:
        return f"<librac.observable {self._name}>"
