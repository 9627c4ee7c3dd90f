"""Writes recordings by hand, byte for byte as docs/Recording.md has them."""

import struct

HEADER, SLOT, EVENT = 4096, 64, 32
(TAKEN, MADE, VALUE, FAILED, ENDED, DISPOSAL, SENDER_GONE, GONE, HOST_VALUE, HOST_ERROR,
 HOST_END, DROPPED, HELD, HELD_END, MORE_WAIT, LONG_CALL, ASKED, BEGINS, ENDS, TIMER, FIRED,
 TAKEN_BACK, EXAMINED, NAMED, RUN_BEGINS, RUN_ENDS, NOBODY, NOTE, REFUSED, EXIT,
 MORE_TEXT, PROPERTY_BEGINS, PROPERTY_SET) = range(1, 34)  # fmt: skip
MILLISECOND = 1_000_000


class Node:
    """A slot: fields are set before or after it is written."""

    def __init__(self, id, kind, **fields):
        self.id, self.kind = id, kind
        self.flags = self.detail = self.below = self.source = self.target = 0
        self.place = self.name = self.thread = self.made = 0
        self.values = self.waiting = self.most = self.lost = self.slow = 0
        vars(self).update(fields)

    def pack(self):
        return struct.pack(
            "=IBBHIIIIIIQQIIII", self.id, self.kind, self.flags, self.detail, self.below,
            self.source, self.target, self.place, self.name, self.thread, self.made, self.values,
            self.waiting, self.most, self.lost, self.slow,
        )  # fmt: skip


class Writer:
    """A program that records: `now` is its clock in nanoseconds, `write` makes the file."""

    def __init__(self, *, events=1024, rings=4, command=("program",), pid=0x3FFFFFFF):
        self.now, self.pid, self.room, self.rings_room = 0, pid, events, rings
        self.state, self.leaked, self.settled, self.stop = 1, -1, 0, 0
        self.nodes, self.definitions, self.ids, self.next = [], bytearray(), {}, 1
        self.rings = {}  # by thread: bytes of events
        self.owners = {}  # by thread: the thread that has its ring now
        self.lost_events = 0
        self.define(4, b"".join(part.encode() + b"\0" for part in command))

    def define(self, kind, content, *, count=0, length=None):
        key = (kind, bytes(content))
        if key in self.ids:
            return self.ids[key]
        size = (16 + len(content) + 7) // 8 * 8
        id, self.next = self.next, self.next + 1
        length = len(content) if length is None else length
        self.definitions += struct.pack("=IHHII", size, kind, count, id, length)
        self.definitions += content + bytes(size - 16 - len(content))
        self.ids[key] = id
        return id

    def text(self, text):
        return self.define(1, text.encode()) if text else 0

    def place(self, operator, text="", addresses=()):
        content = struct.pack("=II", self.text(operator), self.text(text))
        content += struct.pack(f"={len(addresses)}Q", *addresses)
        return self.define(2, content, count=len(addresses))

    def module(self, low, high, base, path):
        content = struct.pack("=QQQ", low, high, base) + path.encode()
        return self.define(3, content, length=len(path.encode()))

    def node(self, kind, *, name="", operator="", at="", **fields):
        """Makes a node and tells so; fields that a slot has may be given."""
        node = Node(len(self.nodes) + 1, kind, made=self.now, thread=fields.pop("thread", 1))
        vars(node).update(fields)
        node.name = self.text(name)
        node.place = self.place(operator, at) if operator or at else 0
        self.nodes.append(node)
        bits = (len(self.nodes) - 1) | node.place << 32
        self.event(MADE, node, extra=node.below, bits=bits, thread=node.thread)
        return node

    def subscription(self, operator, name="", at="", *, below=None, source=None, **fields):
        below, source = below.id if below else 0, source.id if source else 0
        return self.node(
            1, name=name, operator=operator, at=at, below=below, source=source, **fields
        )

    def subject(self, name="", at="", **fields):
        return self.node(2, name=name, at=at, detail=1, **fields)

    def counter(self, name, value):
        return self.node(8, name=name, values=value & (1 << 64) - 1)

    def event(
        self, kind, node=0, *, thread=1, cause=0, depth=0, type=0, length=0, extra=0, bits=0
    ):
        id = node.id if isinstance(node, Node) else node
        cause = cause.id if isinstance(cause, Node) else cause
        if thread not in self.rings:
            self.rings[thread] = bytearray()
        ring = self.rings[thread]
        ring += struct.pack(
            "=QIIBBHIQ",
            self.now << 8 | kind,
            id,
            cause,
            depth,
            type,
            length,
            extra & 0xFFFFFFFF,
            bits,
        )

    def value(self, node, value, *, kind=VALUE, cut=84, **rest):
        """An event with a value: an int, a float, a bool, a str or None."""
        if isinstance(node, Node):
            node.values += 1
        if value is None:
            self.event(kind, node, **rest)
        elif isinstance(value, bool):
            self.event(kind, node, type=1, bits=int(value), **rest)
        elif isinstance(value, int):
            self.event(kind, node, type=2, bits=value & (1 << 64) - 1, **rest)
        elif isinstance(value, float):
            bits = struct.unpack("=Q", struct.pack("=d", value))[0]
            self.event(kind, node, type=3, bits=bits, **rest)
        else:
            self.string(kind, node, value.encode(), **rest)

    def string(self, kind, node, data, type=4, **rest):
        kept = data[:84]
        extra, bits = struct.unpack("=IQ", kept[:12].ljust(12, b"\0"))
        self.event(kind, node, type=type, length=len(data), extra=extra, bits=bits, **rest)
        ring = self.rings[rest.get("thread", 1)]
        for at in range(12, len(kept), 24):
            ring += struct.pack("=Q", self.now << 8 | MORE_TEXT) + kept[at : at + 24].ljust(
                24, b"\0"
            )

    def end(self, node, kind=ENDED, **rest):
        node.flags |= {ENDED: 1, DISPOSAL: 4}[kind]
        self.event(kind, node, **rest)

    def fail(self, node, error):
        """With an error's text, such as "shop 2: no pairs"."""
        node.flags |= 2
        self.string(FAILED, node, error.encode(), type=9)

    def gone(self, node):
        node.flags |= 8
        self.event(GONE, node)

    def advance(self, milliseconds):
        self.now += int(milliseconds * MILLISECOND)

    def exit(self, leaked=0, settled=1):
        self.state, self.leaked, self.settled, self.stop = 3, leaked, settled, self.now
        self.event(EXIT, bits=leaked, extra=settled)

    def pack(self):
        ring_size = HEADER + self.room * EVENT
        slots_at = HEADER
        definitions_at = slots_at + SLOT * (len(self.nodes) + 8)
        definitions_at += -definitions_at % 4096
        room = len(self.definitions) + 4096
        rings_at = definitions_at + room + -(definitions_at + room) % 4096
        header = struct.pack(
            "=8sIIIIQQqqqQIIQQQQQIIIIQQQqI", b"librac\0\0", 1, 0x01020304, 1, self.state, self.pid,
            0, 0, 0, self.stop, slots_at, len(self.nodes) + 8, len(self.nodes), definitions_at,
            room, len(self.definitions), rings_at, ring_size, self.rings_room, len(self.rings),
            self.room, len(self.nodes), 0, 0, self.lost_events, self.leaked, self.settled,
        )  # fmt: skip
        data = bytearray(rings_at)
        data[: len(header)] = header
        for index, node in enumerate(self.nodes):
            data[slots_at + index * SLOT : slots_at + (index + 1) * SLOT] = node.pack()
        data[definitions_at : definitions_at + len(self.definitions)] = self.definitions
        for thread, events in self.rings.items():
            data += self.ring(thread, events)
        return bytes(data)

    def ring(self, thread, events):
        written = len(events) // EVENT
        head = struct.pack(
            "=QQII16s", written, 0, thread, 1, b"main" if thread == 1 else b"worker"
        )
        kept = bytearray(self.room * EVENT)
        for number in range(max(0, written - self.room), written):
            at = number % self.room * EVENT
            kept[at : at + EVENT] = events[number * EVENT : (number + 1) * EVENT]
        return head.ljust(HEADER, b"\0") + bytes(kept)

    def write(self, path):
        path.write_bytes(self.pack())
        return str(path)
