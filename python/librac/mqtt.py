"""Signals over MQTT 3.1.1: docs/Machines.md.

    from librac.mqtt import Mqtt

    mqtt = Mqtt(host="broker.example.org")
    async for heat in mqtt.subscribe("house/+/climate", format="json", field="temperature"):
        print(heat)

This module needs libmosquitto when the package is built: the wheels of a release are without
it, and `pip install --no-binary librac librac` beside libmosquitto-dev makes one with it.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, Never, TypeAlias

from ._librac import Bound, Error, Property, Scheduler, Signal
from .machines import Seconds
from .sources import SignalLike

try:
    from . import _mqtt
except ImportError as error:
    raise ImportError(f"this librac was built without libmosquitto: {error}") from error

__all__ = [
    "Format",
    "Mqtt",
    "NO_MEMORY",
    "NO_VALUE",
    "QoS",
    "REFUSED",
    "Stats",
    "UNREACHABLE",
    "UNREADABLE",
]

Format: TypeAlias = Literal["cbor", "text", "bytes", "json"]
QoS: TypeAlias = Literal[0, 1, 2]

# The codes of a StreamError whose domain is "rac.mqtt".
REFUSED: Final = 1
UNREACHABLE: Final = 2
UNREADABLE: Final = 3
NO_VALUE: Final = 4
NO_MEMORY: Final = 5

_FORMATS: Final = ("cbor", "text", "bytes", "json")


def _number(function: str, format: str) -> int:
    if format not in _FORMATS:
        raise ValueError(f"Mqtt.{function}(): format must be one of {', '.join(_FORMATS)}")
    return _FORMATS.index(format)


class Stats(NamedTuple):
    """Counts over all signals of a Mqtt, and why the latest connection was lost."""

    sent: int
    acknowledged: int
    lost: int
    refused: int
    unechoed: int
    received: int
    unreadable: int
    unheard: int
    dropped: int
    lowered: int
    connections: int
    losses: int
    trouble: str


class Mqtt:
    """A client of a broker. Its signals share one connection, which is open while one of them
    is subscribed to, and is opened anew when it is lost.

    With `session`, and a name, `client`, the broker keeps what comes with QoS 1 and 2 while
    the client is away. `tls` encrypts; `authorities` is a file of certificates to trust in
    place of the system's, `certificate` and `key` are the client's own. The broker publishes
    `will` to `will_topic` when the client goes without a word.
    """

    def __init__(
        self,
        *,
        host: str | None = None,
        socket: str | None = None,
        user: str | None = None,
        password: str | None = None,
        client: str | None = None,
        authorities: str | None = None,
        certificate: str | None = None,
        key: str | None = None,
        will_topic: str | None = None,
        will: str | bytes | None = None,
        will_qos: QoS = 0,
        will_retained: bool = False,
        tls: bool = False,
        session: bool = False,
        port: int = 0,
        keep_alive: int = 0,
        patience: Seconds = 0,
        give_up_after: Seconds = 0,
        scheduler: Scheduler | None = None,
    ) -> None:
        self._handle = _mqtt.create(locals())

    def subscribe(
        self,
        filter: str,
        *,
        qos: QoS = 1,
        format: Format = "cbor",
        field: str | None = None,
        backlog: int = 0,
        topics: bool = False,
    ) -> Signal[Any]:
        """What is published to the topics of a filter, in which "+" is one level and "#" all
        that follow; a hot signal, which what is retained comes first to.

        Of a JSON object the value is the member `field`. With `topics` each value comes in a
        tuple with its topic, and whether it was retained.
        """
        options = locals() | {"format": _number("subscribe", format)}
        signal: Signal[Any] = _mqtt.subscribe(self._handle, filter, options)
        return signal

    def publish(
        self,
        source: SignalLike[Any],
        topic: str,
        *,
        qos: QoS = 1,
        format: Format = "cbor",
        field: str | None = None,
        window: int = 0,
        bound: Bound | None = None,
        retained: bool = False,
    ) -> Signal[Error]:
        """Publishes what `source` sends to a topic, in order, and completes when the broker has
        acknowledged all of it.

        At most `window` values, 256 by default, are on their way; the next wait by `bound`.
        What it sends are errors for values that cannot travel.
        """
        options = locals() | {"format": _number("publish", format)}
        signal: Signal[Error] = _mqtt.publish(self._handle, source, topic, options)
        return signal

    def bind(
        self,
        property: Property[Any],
        topic: str,
        *,
        qos: QoS = 1,
        format: Format = "cbor",
        field: str | None = None,
    ) -> Signal[Never]:
        """Keeps a property equal to a topic's retained message, both ways, while it is
        subscribed to."""
        options = locals() | {"format": _number("bind", format)}
        signal: Signal[Never] = _mqtt.bind(self._handle, property, topic, options)
        return signal

    @property
    def stats(self) -> Stats:
        """What was counted so far."""
        return Stats(**_mqtt.stats(self._handle))
