"""Properties, attributes that can be observed, bindings, batches, channels."""

import copy
import pickle
import threading
import time

import pytest

import librac as rac


def values_of(signal):
    seen = []
    signal.subscribe(seen.append)
    return seen


def test_a_property():
    p = rac.Property(3)
    seen, changes = values_of(p.signal), values_of(p.changes)
    p.value += 1
    p.modify(lambda n: n * 10)
    assert p.value == 40 and seen == [3, 4, 40] and changes == [(3, 4), (4, 40)]


def test_a_batch_reads_what_it_has_set():
    v = rac.Property(0)
    twice = v.map(lambda n: n * 2)
    seen = values_of(v.signal)
    with rac.batch():
        v.value += 1
        v.value += 1
        v.modify(lambda n: n + 10)
        assert (v.value, twice.value) == (12, 24)
        others = []
        thread = threading.Thread(target=lambda: others.append((v.value, twice.value)))
        thread.start()
        thread.join()
    assert others == [(0, 0)] and seen == [0, 12] and (v.value, twice.value) == (12, 24)


def test_subscribing_to_a_property():
    p, seen, ended = rac.Property(3), [], []
    subscription = p.subscribe(seen.append)
    p.subscribe(on_completed=lambda: ended.append("gone"))
    p.value = 4
    subscription.dispose()
    p.value = 5
    assert seen == [3, 4] and ended == []
    with p.map(str).subscribe(seen.append):
        assert seen == [3, 4, "5"]
    with pytest.raises(ZeroDivisionError):
        p.subscribe(lambda n: 1 / 0)
    derived = rac.Property.combine_latest([p], lambda n: 10 / n)
    failed = []
    derived.subscribe(None, failed.append)
    with pytest.raises(ZeroDivisionError) as raised:
        p.value = 0
    assert failed == [raised.value]
    del p, derived
    assert ended == ["gone"]


@pytest.mark.parametrize("argument", ["on_next", "on_error", "on_completed"])
def test_what_a_property_refuses_to_call(argument):
    with pytest.raises(TypeError, match=rf"Property.subscribe\(\): {argument} must be"):
        rac.Property(3).subscribe(**{argument: 3})


def test_bind():
    p, s = rac.Property(0), rac.Subject()
    binding = p.bind(s.map(len))
    s.send("abc")
    assert p.value == 3
    binding.dispose()
    s.send("abcd")
    assert p.value == 3


def test_bind_two_way():
    p, q = rac.Property(1), rac.Property(2)
    p.bind_two_way(q)
    assert p.value == q.value == 2
    p.value = 3
    assert q.value == 3
    q.value = 4
    assert p.value == 4


def test_bind_two_way_map():
    text, number = rac.Property(""), rac.Property(7)
    text.bind_two_way_map(number, str, int)
    assert text.value == "7"
    text.value = "12"
    assert number.value == 12
    text.value = "seven"
    assert number.value == 12
    number.value = 5
    assert text.value == "5"


def test_derived_properties_are_never_mixed():
    price, discount = rac.Property(100), rac.Property(0)
    total = rac.Property.combine_latest([price, discount], lambda a, b: a - b)
    seen = values_of(total.signal)
    with rac.batch():
        price.value = 200
        discount.value = 100
        assert total.value == 100
    assert seen == [100, 100] and total.value == 100
    price.value = 50
    assert seen == [100, 100, -50]


def test_a_batch_that_raises_sets_nothing():
    p = rac.Property(1)
    with pytest.raises(KeyError):
        with rac.batch():
            p.value = 2
            raise KeyError
    assert p.value == 1


def test_a_batch_in_a_batch_belongs_to_it():
    p = rac.Property(1)
    seen = values_of(p.signal)
    with rac.batch():
        with rac.batch():
            p.value = 2
        assert seen == [1]
    assert seen == [1, 2]


class Form:
    name = rac.observable("")
    age = rac.observable(0, distinct=True)
    tags = rac.observable(factory=list)

    def __init__(self, name=""):
        self.name = name


def test_observable():
    a, b = Form("Ada"), Form("Ben")
    seen = values_of(Form.name.of(a).signal)
    a.name = "Ann"
    b.name = "Bob"
    assert (a.name, b.name, seen) == ("Ann", "Bob", ["Ada", "Ann"])
    ages = values_of(Form.age.of(a).signal)
    a.age = 0
    a.age = 1
    assert ages == [0, 1]
    assert a.tags is a.tags and a.tags is not b.tags
    assert repr(Form.name) == "<librac.observable name>"
    assert "Form.name" in Form.name.of(a).signal.description


def test_observables_bind():
    a, b = Form("Ada"), Form("Ben")
    Form.name.of(a).bind_two_way(Form.name.of(b))
    assert a.name == "Ben"
    b.name = "Zoe"
    assert a.name == "Zoe"


def test_observables_of_instances_with_slots():
    class Point:
        __slots__ = ("__weakref__",)
        x = rac.observable(0)

    a, b = Point(), Point()
    a.x = 3
    assert (a.x, b.x) == (3, 0)
    assert len(Point.x._others) == 2
    del a
    assert len(Point.x._others) == 1


def test_observable_is_of_instances():
    with pytest.raises(TypeError, match="name is an attribute of instances"):
        Form.name.of(None)


def test_a_subclass_has_the_attribute():
    class Longer(Form):
        name = rac.observable("nobody")

    assert Longer().name == ""
    assert Longer.name is not Form.name


def test_a_copy_has_properties_of_its_own():
    a = Form("Ada")
    b = copy.copy(a)
    b.name = "Ben"
    assert a.name == "Ada" and b.name == "Ben"


def test_channels():
    channel = rac.Channel()
    leading, following = values_of(channel.leading), values_of(channel.following)
    channel.leading.send(1)
    channel.following.send(2)
    assert following == [1] and leading == [2]
    assert values_of(channel.following) == [1]


def test_threads_may_set():
    p = rac.Property(0)
    threads = [
        threading.Thread(target=lambda: [p.modify(lambda n: n + 1) for _ in range(200)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert p.value == 800


def test_a_bound_for_modifications():
    """Laws 4 and 23: threads that are faster than a subscriber wait for room."""
    bound = rac.Bound(4, "wait")
    p = rac.Property(0, bound=bound)
    p.subscribe(lambda n: time.sleep(0.001) if n % 50 == 0 else None)
    threads = [
        threading.Thread(target=lambda: [p.modify(lambda n: n + 1) for _ in range(200)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rac.host.settle(30)
    assert p.value == 800 and bound.highest <= 4

    p, answers = rac.Property(0, False, rac.Bound(1, "refuse")), []

    def modify(n):
        try:
            p.modify(lambda n: n + 1)
            answers.append("taken")
        except rac.errors.WouldBlock as error:
            answers.append(str(error))

    p.subscribe(lambda n: [modify(n), modify(n)] if n == 1 else None)
    p.value = 1
    assert answers == ["taken", "Property.modify(): what holds values back has no room for more"]
    assert p.value == 2
    with pytest.raises(ValueError, match="no modification is left out"):
        rac.Property(0, bound=rac.Bound(1, "latest"))


def test_wrong_arguments():
    with pytest.raises(TypeError):
        rac.Property(0).bind(3)
    with pytest.raises(TypeError):
        rac.Property(0).bind_two_way(rac.Subject())


def test_a_deep_copy_and_a_pickle_have_the_values():
    a = Form("Ada")
    a.tags.append("x")
    for b in [copy.deepcopy(a), pickle.loads(pickle.dumps(a))]:
        assert (b.name, b.tags) == ("Ada", ["x"]) and b.tags is not a.tags
        b.name = "Ben"
        assert a.name == "Ada"
