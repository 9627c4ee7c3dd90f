"""Orders that one process makes and any number of others work on.

    python3 machines/redis/examples/orders.py make 1000
    python3 machines/redis/examples/orders.py work ann

REDIS_SOCKET is the path of the broker's Unix socket; without it the broker is on this machine at
port 6379. Kill them all with SIGKILL, and start them again: `make` goes on behind the last order
that is stored, and a worker of the same name begins with what it had in its hands. An order is
lost by none of that, and may be worked on twice.
"""

import asyncio
import os
import sys

import librac as rac
from librac.redis import Redis

IN_FLIGHT = 8


def broker(sender):
    return Redis(socket=os.environ.get("REDIS_SOCKET"), sender=sender, patience=2)


async def make(count):
    redis = broker("shop")
    # Every order has a number, so what is stored already can be left out.
    stored = await redis.last_number("orders").first()
    orders = rac.from_((number, f"order {number}") for number in range(stored + 1, count + 1))
    # A broker that might forget orders is none for these.
    stores = redis.publish(orders, "orders", unique=True, durable=True)
    refused = [error async for error in stores]
    assert not refused, refused
    print(f"{count - stored} orders made, {stored} were there")


async def work(name):
    async def ship(order):
        number, text = order
        await asyncio.sleep(0.002)
        # The effect is here, before the order is acknowledged: what comes out of `shipped` comes
        # to this loop a little later, and is lost by a kill in between. It has to be harmless
        # when it is done twice.
        print(name, number, text, flush=True)
        return number

    shipped = broker(name).work("orders", "shippers", ship, in_flight=IN_FLIGHT, claim_after=1)
    async for number in shipped:
        if number % 1000 == 0:
            print(f"# {number} shipped", flush=True)


match sys.argv[1:]:
    case ["make", count]:
        asyncio.run(make(int(count)))
    case ["work", name]:
        asyncio.run(work(name))
    case _:
        sys.exit(__doc__)
