"""Greenlets that switch inside callbacks: their calls of one thread end in any order."""

import random

import pytest

import librac as rac

greenlet = pytest.importorskip("greenlet")


class Raised(Exception):
    pass


class Named(greenlet.greenlet):
    def __init__(self, work, name):
        super().__init__(work)
        self.name = name


@pytest.fixture
def unhandled(monkeypatch):
    """What came out of no call."""
    told = []
    monkeypatch.setattr(rac, "on_unhandled", lambda error, *_: told.append(error))
    return told


def take_turns(greenlets, chance):
    while left := [one for one in greenlets if not one.dead]:
        chance.choice(left).switch()


@pytest.mark.parametrize("seed", range(30))
def test_what_is_raised_comes_out_of_its_own_send(seed, unhandled):
    chance, hub = random.Random(seed), greenlet.getcurrent()
    raised, heard = [], []

    def switch(value):
        for _ in range(chance.randrange(3)):
            hub.switch()
        return value

    def hear(value):
        switch(value)
        if chance.random() < 0.3:
            raised.append((greenlet.getcurrent().name, Raised()))
            raise raised[-1][1]

    def send_on(value):
        inner = rac.Subject()
        inner.subscribe(hear)
        switch(None)
        inner.send(object())

    def work():
        for _ in range(10):
            subject, last = rac.Subject(), []
            subject.subscribe(chance.choice([hear, send_on]))
            subject.map(switch).subscribe(hear)
            subject.subscribe(last.append)
            for value in ([], "text" * 3, 5, 1.5, ("x", object())):
                try:
                    subject.send(value)
                except Raised as error:
                    heard.append((greenlet.getcurrent().name, error))
                assert last[-1] is value or last[-1] == value, (last[-1], value)
            if chance.random() < 0.3:
                hub.switch()

    take_turns([Named(work, name) for name in range(6)], chance)
    # Of several in one send the first comes out, and the others nowhere else.
    assert sorted(name for name, _ in heard) and set(heard) <= set(raised)
    assert {id(error) for _, error in raised} == {
        id(error) for error in [*(error for _, error in heard), *unhandled]
    }


def test_calls_end_before_those_inside():
    """The first begins, the second inside of it, the first ends: then the second has nothing
    to go back to."""
    hub, sent = greenlet.getcurrent(), rac.Subject()
    other, heard = rac.Subject(), []
    sent.subscribe(lambda value: hub.switch())
    first = greenlet.greenlet(lambda: sent.send(int("123456789")))
    first.switch()
    other.subscribe(lambda value: first.switch())
    other.subscribe(heard.append)
    text = "".join(["no ", "constant"])
    other.send(text)
    assert first.dead and heard == [text]
    taken = [int(f"98765432{i}") for i in range(1000)]  # where the first one's number was
    # Nobody sends these: they look whether they are being sent.
    rac.of(123456789, text).subscribe(heard.append)
    assert heard[1:] == [123456789, text] and len(taken) == 1000


@pytest.mark.parametrize("seed", range(10))
def test_properties_and_sources(seed, unhandled):
    """What has no on_error raises the same object; a source is of who subscribes to it."""
    chance, hub = random.Random(seed), greenlet.getcurrent()

    def switch():
        for _ in range(chance.randrange(3)):
            hub.switch()

    def work():
        mine = Raised()

        def fail(value):
            switch()
            if value:
                raise mine
            return value

        def begin(observer):
            switch()
            kept.append(observer)
            observer.send(mine)
            switch()

        kept = []
        for _ in range(5):
            rac.create(begin).subscribe(lambda value: switch())
            source = rac.Property(0)
            derived = rac.Property.combine_latest([source], fail)
            with pytest.raises(Raised) as caught:
                source.value = 1
            assert caught.value is mine
            del derived

    take_turns([greenlet.greenlet(work) for _ in range(4)], chance)
    assert not unhandled


def test_a_greenlet_that_is_killed_in_a_callback():
    hub, subject, ended = greenlet.getcurrent(), rac.Subject(), []

    def work():
        try:
            subject.send(1)
        except greenlet.GreenletExit:
            ended.append("killed")
            raise

    subject.subscribe(lambda value: hub.switch())
    one = greenlet.greenlet(work)
    one.switch()
    one.throw()
    assert ended == ["killed"] and one.dead
    one = greenlet.greenlet(work)
    one.switch()
    del one  # the last reference: it is thrown a GreenletExit
    assert ended == ["killed", "killed"]


def test_gevent(unhandled):
    gevent = pytest.importorskip("gevent")
    requests, answered, failed = rac.Subject(), [], []

    def handle(number):
        gevent.sleep(0.001 * (number % 3))
        if number % 5 == 0:
            raise Raised(number)
        return number * number

    def serve(number):
        one = rac.Subject()  # of this request, as requests have their own
        one.map(handle).subscribe(
            lambda value: answered.append((number, value)), lambda error: failed.append(error)
        )
        one.map(handle).subscribe(lambda value: gevent.sleep(0))
        try:
            one.send(number)
        except Raised as error:
            assert error.args == (number,)
            failed.append(error)

    gevent.joinall([gevent.spawn(serve, n) for n in range(40)], timeout=20, raise_error=True)
    assert sorted(answered) == [(n, n * n) for n in range(40) if n % 5]
    assert sorted(error.args[0] for error in failed) == sorted([*range(0, 40, 5)] * 2)

    # One that all send to: a callback that sleeps has the values behind it wait, and nobody
    # may wait for them.
    heard = []
    requests.subscribe(lambda value: (gevent.sleep(0.001), heard.append(value)))
    gevent.joinall([gevent.spawn(requests.send, n) for n in range(5)], timeout=20)
    assert heard == list(range(5)) and not unhandled
    requests.subscribe(lambda value: gevent.sleep(0.001))
    sending = gevent.spawn(requests.send, 5)
    gevent.sleep(0)
    with pytest.raises(rac.errors.Deadlock):
        rac.never().wait(timeout=1)
    sending.join()
