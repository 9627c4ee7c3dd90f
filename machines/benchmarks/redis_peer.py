"""The same by redis-py and reactivex, as a program of theirs does it.

redis_peer.py SOCKET MODE COUNT    prints seconds, and seconds of this process's CPU
"""

import sys
import time

import reactivex
import redis
from reactivex import operators as ops

PIPELINE, TEXT = 256, "x" * 100


def publish(client, count):
    pipeline = client.pipeline(transaction=False)

    def store(text):
        pipeline.xadd("s", {"v": text})
        if len(pipeline) == PIPELINE:
            pipeline.execute()

    # reactivex.range takes ten times as long as a range.
    texts = reactivex.from_iterable(TEXT for _ in range(count))
    texts.pipe(ops.do_action(store)).run()
    pipeline.execute()


def read(client, count):
    def entries(observer, scheduler):
        position = "0"
        while batch := client.xread({"s": position}, count=256):
            for position, fields in batch[0][1]:
                observer.on_next(fields[b"v"])
        observer.on_completed()

    heard = reactivex.create(entries).pipe(ops.take(count), ops.count()).run()
    assert heard == count


path, mode, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
client = redis.Redis(unix_socket_path=path)
start, used = time.monotonic(), time.process_time()
{"publish": publish, "read": read}[mode](client, count)
print(time.monotonic() - start, time.process_time() - used)
