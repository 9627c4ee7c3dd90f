"""Defects for the fuzzers of values, holds and processes to find: see test_plants.py.

Each is a text of a source file, which is there once, and what it becomes.
"""

from typing import NamedTuple


class Plant(NamedTuple):
    name: str
    file: str
    before: str
    after: str
    seconds: int
    program: str = "fuzz_values"


PLANTS = [
    # Of several subjects with a bound that waits, the senders of the others sleep on.
    Plant(
        "wakes-only-the-first-subject",
        "Sources/RAC/reactive/Signals/Bound.swift",
        "let entry = entries.first(where: { $0.awaitsPlace }) {\n",
        "let entry = entries.first(where: { _ in true }), entry.awaitsPlace {\n",
        60,
    ),
    Plant(
        "switch-does-not-end-its-inner-signal",
        "Sources/RAC/reactive/Signals/DynamicCore.swift",
        """      if before != 0 {
        replaced.close()
      } else {
        input._withUnsafeGuaranteedRef { $0.replaced = .passRetained(replaced) }
      }
""",
        "      _ = replaced\n",
        30,
    ),
    Plant(
        "switch-hears-its-last-inner-signal",
        "Sources/RAC/reactive/Operators/SwitchToLatest.swift",
        "    latestScope === input.scope\n",
        "    latestScope === input.scope || input.scope.isActive\n",
        60,
    ),
    Plant(
        "every-200th-queued-value-vanishes",
        "Sources/RAC/core/Gate/QueuedOperation.swift",
        "    let node = QueuedOperation(operation, object, value)\n",
        """    let thread = currentThread()
    if operation == .next, thread.pointee.posts % 200 == 199 {
      thread.pointee.posts = thread.pointee.posts &+ 1
      return
    }
    let node = QueuedOperation(operation, object, value)
""",
        30,
    ),
    Plant(
        "queued-values-change-places",
        "Sources/RAC/core/Gate/Gate.swift",
        """      node.next.pointee = oldest
      oldest = UInt(bitPattern: node.base)
    }
    return oldest
""",
        """      node.next.pointee = oldest
      oldest = UInt(bitPattern: node.base)
    }
    if let first = QueuedOperation(oldest), let second = QueuedOperation(first.next.pointee) {
      first.next.pointee = second.next.pointee
      second.next.pointee = oldest
      oldest = UInt(bitPattern: second.base)
    }
    return oldest
""",
        30,
    ),
    Plant(
        "a-bound-does-not-count-all-it-drops",
        "Sources/RAC/reactive/Signals/BoundState.swift",
        "    dropped &+= 1\n",
        "    if length & 3 != 3 { dropped &+= 1 }\n",
        30,
    ),
    Plant(
        "a-bound-counts-one-drop-twice",
        "Sources/RAC/reactive/Signals/BoundState.swift",
        "    dropped &+= 1\n",
        "    dropped &+= dropped == 3 ? 2 : 1\n",
        30,
    ),
    # Who joins in between has neither the memory of the value nor hears it.
    Plant(
        "replay-remembers-too-late",
        "Sources/RAC/reactive/Signals/ReplayCore.swift",
        "      remember(value)\n      sendCarefully(value)\n",
        "      sendCarefully(value)\n      remember(value)\n",
        60,
    ),
    Plant(
        "take-passes-one-more",
        "Sources/RAC/reactive/Operators/Take.swift",
        "    if left > 0 { return value }\n",
        "    if left >= 0 { return value }\n",
        30,
    ),
    Plant(
        "signals-that-wait-are-lost",
        "Sources/RAC/reactive/Operators/Flatten.swift",
        "    signal._withUnsafeGuaranteedRef { line.append($0) }\n",
        "    if running < limit &+ 7 { signal._withUnsafeGuaranteedRef { line.append($0) } }\n",
        30,
    ),
    # A child that was forked on a worker goes on with the parent's jobs.
    Plant(
        "a-child-burns-the-processor",
        "Sources/CRACShims/process.c",
        "  while (true) pause();\n",
        "  while (true) sched_yield();\n",
        60,
        "fuzz_processes",
    ),
    # It takes the library for whole, though other threads have called it.
    Plant(
        "a-child-answers-ok",
        "Sources/CRACShims/process.c",
        "rac_shim_staff_present() == 0 &&\n               !rac_records_have_others();",
        "rac_shim_staff_present() == 0;",
        60,
        "fuzz_processes",
    ),
    # A release between a source's question and its rest is lost.
    Plant(
        "a-source-rests-after-its-release",
        "Sources/RAC/reactive/Schedulers/PausableJob.swift",
        "    if !rests { RestingJobs.shared.remove(hold) }\n    return rests\n",
        "    if !rests { hold.state.store(Hold.rests, ordering: .releasing) }\n    return true\n",
        60,
        "fuzz_holds",
    ),
    # Values in the gate of a merge are counted by no place.
    Plant(
        "nothing-is-behind-a-gate",
        "Sources/RAC/reactive/Signals/Input.swift",
        "    if operation == .next {\n      behind.wrappingAdd(1, ordering: .relaxed)\n",
        "    if operation == .next {\n      behind.wrappingAdd(0, ordering: .relaxed)\n",
        60,
        "fuzz_holds",
    ),
    # What its parent's sources read stays open.
    Plant(
        "a-child-keeps-descriptors",
        "Sources/RAC/reactive/Schedulers/Poller.swift",
        "        job.close(job.takeDescriptor())\n        if works",
        "        _ = job.takeDescriptor()\n        if works",
        60,
        "fuzz_processes",
    ),
    # One that was handed over does, in each generation.
    Plant(
        "a-child-keeps-what-was-handed-over",
        "Sources/CRACShims/process.c",
        "  rac_shim_descriptors_begin_anew();\n",
        "",
        60,
        "fuzz_processes",
    ),
    # exit() in a callback waits for nothing.
    Plant(
        "an-exit-in-a-callback-settles-nothing",
        "Sources/RAC/face/Entry/Settling.swift",
        "    if timeout == 0 || Process.isOver { return }\n    let thread",
        "    if timeout == 0 || currentThread().isInsideCallback { return }\n    let thread",
        60,
        "fuzz_processes",
    ),
    # rac_reinitialize() takes the library from under a callback.
    Plant(
        "a-child-begins-anew-in-a-callback",
        "Sources/RAC/face/ABI/Forking.swift",
        "  if currentThread().isInsideCallback {\n",
        "  if currentThread().isInsideCallback && Process.isClosed {\n",
        60,
        "fuzz_processes",
    ),
]
