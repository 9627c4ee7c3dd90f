#!/usr/bin/env python3
"""What is alive in a process that uses librac: each object, and who holds it.

    living.py PID

For the fuzzer, when a round leaves something. Reads the process's memory, and the
symbols of the Embedded build, which has one class to each `…CN`. An object is a
block with its class in it and a count of references behind it, where a free block
has a link; what points to it from another block holds it, unless that is free.
"""
import re
import struct
import sys

MOST_REFERENCES = 1 << 20
# As in CRACSlabs.h: a slab's bytes, those of what is known of it, and where in that its kind
# and its first block are.
SLAB, KNOWN, KIND, START = 1 << 15, 128, 10, 11
FLAGS = ["busy", "pending", "closing", "immortal", "published"]


class Memory:
    def __init__(self, pid):
        self.file = open(f"/proc/{pid}/mem", "rb", buffering=0)
        self.pages = open(f"/proc/{pid}/pagemap", "rb", buffering=0)

    def words(self, address, count):
        self.file.seek(address)
        return struct.unpack(f"<{count}Q", self.file.read(8 * count))

    def pages_in_use(self, start, size):
        """The pages that were ever written to."""
        step = 1 << 14
        for first in range(start >> 12, (start + size) >> 12, step):
            self.pages.seek(first * 8)
            for i, (entry,) in enumerate(struct.iter_unpack("<Q", self.pages.read(step * 8))):
                page = (first + i) << 12
                if entry >> 62 and page < start + size:
                    yield page, self.words(page, 512)


def library_of(pid):
    """Where it is loaded, and its file."""
    for line in open(f"/proc/{pid}/maps"):
        fields = line.split()
        if len(fields) > 5 and "/librac." in fields[5] and fields[2] == "0" * 8:
            return int(fields[0].split("-")[0], 16), fields[5]
    sys.exit("living.py: the process does not use librac.so")


def symbols_of(path):
    data = open(path, "rb").read()
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQII", data, table + i * size) for i in range(count)]
    for _, kind, _, _, offset, length, link, _ in sections:
        if kind != 2:
            continue
        names = sections[link][4]
        for at in range(offset, offset + length, 24):
            name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", data, at)
            end = data.index(b"\0", names + name)
            yield data[names + name:end].decode(), value


def class_name(symbol):
    found = re.fullmatch(r"_?\$e3RAC(\d+)(.*)CN", symbol)
    return found and found[2][:int(found[1])]


class Living:
    def __init__(self, pid):
        self.memory = Memory(pid)
        base, path = library_of(pid)
        symbols = {name: base + value for name, value in symbols_of(path)}
        if "rac_pool_range" not in symbols:
            sys.exit("living.py: not the Embedded build, or without its symbols")
        self.classes = {at: class_name(name) for name, at in symbols.items() if class_name(name)}
        *self.pool, self.slabs = self.memory.words(symbols["rac_pool_range"], 3)
        self.slots = self.memory.words(symbols["rac_slot_range"], 2)
        self.content, places = {}, set()
        for page, words in self.memory.pages_in_use(*self.pool):
            for i, word in enumerate(words):
                if word:
                    self.content[page + 8 * i] = word
                if word in self.classes:
                    places.add(page + 8 * i)
        self.objects = {at: self.content.get(at + 8, 0) for at in places if self.block_of(at) == at}
        self.objects = {at: n for at, n in self.objects.items() if 0 < n < MOST_REFERENCES}
        self.holders = {at: [] for at in self.objects}
        for at, word in self.content.items():
            # The lowest bits may mean something else.
            for target in {word, word & ~15}:
                if target in self.objects:
                    self.holders[target].append(at)

    def block_of(self, at):
        """Where the block begins that an address lies in."""
        index = (at - self.pool[0]) // SLAB
        known = self.memory.words(self.slabs + index * KNOWN, KNOWN // 8)
        size = ((known[KIND] & 0xFFFFFFFF) + 1) * 8
        return at - (at - known[START]) % size

    def name(self, at):
        return f"{self.classes[self.content[at]]} {at:x}"

    def gate(self, word):
        if not self.slots[0] <= word < self.slots[0] + self.slots[1]:
            return ""
        slot, queue = self.memory.words(word, 2)
        flags = " ".join(name for i, name in enumerate(FLAGS) if slot >> i & 1)
        return f", gate [{flags}] queue {queue:x}"

    def print(self):
        for at, references in sorted(self.objects.items()):
            gate = self.gate(self.content.get(at + 16, 0))
            print(f"  {self.name(at)}: {references} references{gate}")
            words = [self.content.get(at + 8 * i, 0) for i in range(2, 14)]
            print("    " + " ".join(f"{word:x}" for word in words))
            for holder in self.holders[at]:
                block = self.block_of(holder)
                name = self.name(block) if block in self.objects else f"block {block:x}"
                print(f"    held by {name} at {holder - block}")


if __name__ == "__main__":
    Living(int(sys.argv[1])).print()
