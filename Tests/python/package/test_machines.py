"""librac.redis and librac.mqtt, with brokers of their own."""

import asyncio
import datetime
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

import pytest

import librac as rac

ROOT = pathlib.Path(__file__).resolve().parents[3]
ORDERS = ROOT / "machines" / "redis" / "examples" / "orders.py"
MOSQUITTO = shutil.which("mosquitto", path=os.environ.get("PATH", "") + ":/usr/sbin")

try:
    from librac import redis as machines_redis
except ImportError:
    machines_redis = None
try:
    from librac import mqtt as machines_mqtt
except ImportError:
    machines_mqtt = None

needs_redis = pytest.mark.skipif(
    machines_redis is None or shutil.which("redis-server") is None,
    reason="librac was built without hiredis, or there is no redis-server",
)
needs_mqtt = pytest.mark.skipif(
    machines_mqtt is None or MOSQUITTO is None,
    reason="librac was built without libmosquitto, or there is no mosquitto",
)


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.005)


def values(signal):
    return list(signal.collect().wait(20))


def answers(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        return probe.connect_ex(address) == 0


@pytest.fixture
def redis_server(tmp_path):
    path = str(tmp_path / "s")
    command = ["redis-server", "--dir", str(tmp_path), "--port", "0", "--unixsocket", path]
    command += ["--save", "", "--appendonly", "yes", "--appendfsync", "always"]
    server = subprocess.Popen([*command, "--logfile", "log"])
    wait_until(lambda: answers(socket.AF_UNIX, path))
    yield path
    server.kill()
    server.wait()


@pytest.fixture
def mosquitto(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    settings = tmp_path / "conf"
    settings.write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous true\nlog_dest file {tmp_path}/log\nuser root\n"
    )
    server = subprocess.Popen([MOSQUITTO, "-c", str(settings)], stderr=subprocess.DEVNULL)
    wait_until(lambda: answers(socket.AF_INET, ("127.0.0.1", port)))
    yield port
    server.kill()
    server.wait()


# What goes in, and what comes out; NOTHING: it is refused.
NOTHING = object()
TRAVELS = [
    (None, None),
    (True, True),
    (-1, -1),
    (2.5, 2.5),
    ("ä", "ä"),
    (b"\0x", b"\0x"),
    (bytearray(b"x"), b"x"),
    ((1, ("a", [2, ()])), (1, ("a", (2, ())))),
    (rac.cocoa.UNIT, rac.cocoa.UNIT),
    ({"a": 1}, NOTHING),
    (10**30, NOTHING),
    ("\udc80", NOTHING),
    (object, NOTHING),
]


@needs_redis
def test_values_go_in_and_come_out(redis_server):
    redis = machines_redis.Redis(socket=redis_server)
    refused = values(redis.publish([each for each, _ in TRAVELS], "s", ends=True))
    heard = values(redis.read("s", from_="0", ends=True))
    expected = [each for _, each in TRAVELS if each is not NOTHING]
    assert heard == expected and list(map(type, heard)) == list(map(type, expected))
    assert len(refused) == len(TRAVELS) - len(expected)
    assert {error.code for error in refused} == {machines_redis.NO_VALUE}
    assert redis.stats.refused == len(refused) and redis.stats.acknowledged == len(expected) + 1


@needs_redis
def test_a_loop_reads_and_works(redis_server, run):
    redis = machines_redis.Redis(socket=redis_server, sender="ann")

    async def double(value):
        await asyncio.sleep(0)
        if value == 3:
            raise ValueError("not three")
        return 2 * value

    async def main():
        assert [each async for each in redis.publish(range(1, 6), "s", unique=True)] == []
        assert await redis.last_number("s").first() == 5
        positions = [pair async for pair in redis.read("s", from_="0", positions=True).take(5)]
        assert [value for value, _ in positions] == [1, 2, 3, 4, 5]
        behind = redis.read("s", from_=positions[3][1])
        assert [value async for value in behind.take(1)] == [5]
        work = redis.work("s", "g", double, attempts=1, claim_after=0.1)
        assert sorted([value async for value in work.take(4)]) == [2, 4, 8, 10]

    run(main())
    assert redis.stats.failed == 1


@needs_redis
def test_properties_are_equal(redis_server):
    redis = machines_redis.Redis(socket=redis_server)
    first, second = rac.Property("a"), rac.Property(None)
    with redis.bind(first, "key").subscribe(print):
        wait_until(lambda: redis.stats.acknowledged == 1)
        with redis.bind(second, "key").subscribe(print):
            wait_until(lambda: second.value == "a")
            second.value = ("b", 1)
            wait_until(lambda: first.value == ("b", 1))


@needs_redis
def test_an_option_of_another_kind_is_named():
    with pytest.raises(TypeError, match=r"Redis\(\): port must be int, not 'x'"):
        machines_redis.Redis(port="x")
    with pytest.raises(OverflowError, match="port"):
        machines_redis.Redis(port=2**40)
    assert machines_redis.NOT_DURABLE == 7


@needs_redis
def test_what_cannot_be_is_refused_by_redis(tmp_path):
    Redis = machines_redis.Redis
    soon = datetime.timedelta(seconds=0.1)
    redis = Redis(socket=str(tmp_path / "nothing"), give_up_after=soon)
    with pytest.raises(rac.errors.StreamError) as caught:
        values(redis.publish([1], "s"))
    assert (caught.value.domain, caught.value.code) == ("rac.redis", machines_redis.UNREACHABLE)
    for wrong in [
        lambda: Redis(port=-1),
        lambda: Redis(host="a", socket="b"),
        lambda: redis.read(""),
        lambda: redis.read("s", from_="x"),
        lambda: redis.read("s", batch=-1),
        lambda: redis.last_number("s"),
        lambda: redis.publish([1], "s", unique=True),
        lambda: redis.publish([1], "s", window=-1),
        lambda: redis.work("s", "", print),
        lambda: redis.work("s", "g", print, in_flight=5000),
        lambda: redis.bind(rac.Property(1), ""),
        lambda: redis.publish([1], "a\0b"),
        lambda: Redis(host="a\0b"),
    ]:
        with pytest.raises(ValueError):
            wrong()
    for wrong in [
        lambda: Redis(scheduler=1),
        lambda: Redis(port="6379"),
        lambda: Redis(host=3),
        lambda: Redis(patience="long"),
        lambda: redis.read("s", batch=1.5),
        lambda: redis.publish(1, "s"),
        lambda: redis.publish([1], "s", bound=3),
        lambda: redis.work("s", "g", 3),
        lambda: redis.bind(3, "key"),
        lambda: redis.read(3),
    ]:
        with pytest.raises(TypeError):
            wrong()


@needs_redis
def test_a_handler_and_what_it_holds_go(redis_server):
    redis = machines_redis.Redis(socket=redis_server)

    class Held:
        gone = 0

        def __del__(self):
            Held.gone += 1

    def make():
        held = Held()
        return redis.work("s", "g", lambda value: held and None)

    with make().subscribe(print):
        wait_until(lambda: redis.stats.connections == 2)
    wait_until(lambda: Held.gone == 1)


@needs_redis
def test_orders_survive_every_death(redis_server):
    """The example: its maker and its workers are killed while it runs."""
    count, kills, lines = 800, 0, []
    environment = dict(os.environ, REDIS_SOCKET=redis_server)

    def start(*arguments):
        command = [sys.executable, str(ORDERS), *arguments]
        out = open(f"{redis_server}.{len(lines)}", "w+")
        lines.append(out)
        return subprocess.Popen(command, env=environment, stdout=out)

    def kill(process):
        process.kill()
        process.wait()

    def numbers():
        heard = []
        for out in lines:
            # The last line may be half written.
            whole = pathlib.Path(out.name).read_text().split("\n")[:-1]
            heard += [int(line.split()[1]) for line in whole if " order " in line]
        return heard

    processes = {"ann": start("work", "ann"), "bob": start("work", "bob")}
    maker = start("make", str(count))
    try:
        for share, name in [(0.2, "ann"), (0.4, "bob"), (0.6, "ann")]:
            wait_until(lambda: len(numbers()) >= share * count, 60)
            kill(maker)
            kill(processes[name])
            kills += 1
            processes[name] = start("work", name)
            maker = start("make", str(count))
        assert maker.wait(60) == 0
        wait_until(lambda: len(set(numbers())) == count, 60)
    finally:
        for each in [maker, *processes.values()]:
            kill(each)
    heard = numbers()
    assert set(heard) == set(range(1, count + 1))
    # Eight in each worker's hands.
    assert len(heard) - count <= 8 * kills
    for out in lines:
        out.close()


@needs_mqtt
def test_messages_go_in_and_come_out(mosquitto):
    mqtt = machines_mqtt.Mqtt(port=mosquitto, client="ann", session=True)
    heard = []
    expected = [each for _, each in TRAVELS if each is not NOTHING]
    with mqtt.subscribe("a/+", topics=True).subscribe(heard.append):
        values(mqtt.publish([0], "x"))
        refused = values(mqtt.publish([each for each, _ in TRAVELS], "a/b", qos=2))
        wait_until(lambda: len(heard) == len(expected))
    assert heard == [(each, "a/b", False) for each in expected]
    assert len(refused) == len(TRAVELS) - len(expected)
    assert mqtt.stats.refused == len(refused)


@needs_mqtt
@pytest.mark.parametrize(
    "format, field, value, text",
    [
        ("text", None, "hot", "hot"),
        ("text", None, 2.5, "2.5"),
        ("json", None, ["a", 1, None], '["a",1,null]'),
        ("json", "t", 21, '{"t":21}'),
        ("bytes", None, b"\xff", None),
    ],
)
def test_payloads_are_what_the_world_writes(mosquitto, format, field, value, text):
    mqtt = machines_mqtt.Mqtt(port=mosquitto)
    raw, back = [], []
    with mqtt.subscribe("a", format="bytes").subscribe(raw.append):
        with mqtt.subscribe("a", format=format, field=field).subscribe(back.append):
            values(mqtt.publish([0], "x"))
            assert values(mqtt.publish([value], "a", format=format, field=field)) == []
            # Two subscriptions to one filter hear it once each.
            wait_until(lambda: raw and back)
    assert text is None or raw == [text.encode()]
    assert back == [tuple(value) if isinstance(value, list) else "2.5" if value == 2.5 else value]


@needs_mqtt
def test_a_loop_hears(mosquitto, run):
    mqtt = machines_mqtt.Mqtt(port=mosquitto)

    async def main():
        said = mqtt.publish(["first", "last"], "a", retained=True)
        assert [each async for each in said] == []
        async for value in mqtt.subscribe("a"):
            assert value == "last"
            break

    run(main())


@needs_mqtt
def test_properties_are_equal_over_topics(mosquitto):
    one, other = (machines_mqtt.Mqtt(port=mosquitto) for _ in range(2))
    first, second = rac.Property("a"), rac.Property(None)
    with one.bind(first, "key").subscribe(print):
        wait_until(lambda: one.stats.acknowledged == 1)
        with other.bind(second, "key").subscribe(print):
            wait_until(lambda: second.value == "a")
            second.value = ("b", 1)
            wait_until(lambda: first.value == ("b", 1))


@needs_mqtt
def test_what_cannot_be_is_refused_by_mqtt(mosquitto):
    Mqtt = machines_mqtt.Mqtt
    mqtt = Mqtt(port=mosquitto)
    for wrong in [
        lambda: Mqtt(port=-1),
        lambda: Mqtt(session=True),
        lambda: Mqtt(will_topic="a/#"),
        lambda: Mqtt(tls=True, authorities="/no/such/file"),
        lambda: mqtt.subscribe("a/#/b"),
        lambda: mqtt.subscribe("a", qos=3),
        lambda: mqtt.publish([1], "a", qos=2),
        lambda: mqtt.subscribe("a", format="yaml"),
        lambda: mqtt.subscribe("a", field="t"),
        lambda: mqtt.subscribe("a", backlog=-1),
        lambda: mqtt.publish([1], "a/+"),
        lambda: mqtt.bind(rac.Property(1), "#"),
    ]:
        with pytest.raises(ValueError):
            wrong()
    for wrong in [
        lambda: mqtt.publish(1, "a"),
        lambda: mqtt.publish([1], "a", bound=1),
        lambda: mqtt.bind(1, "a"),
        lambda: Mqtt(scheduler=1),
        lambda: Mqtt(will_topic="a", will=3),
        lambda: mqtt.subscribe("a", field=3),
    ]:
        with pytest.raises(TypeError):
            wrong()
