"""Writing, connections and frames."""

import errno
import os

import pytest

import librac as rac


def lines_of(sock):
    return rac.lines(sock, 65536, True)


def test_what_is_written():
    read, write = os.pipe()
    totals = list(rac.of("text ", b"bytes ", bytearray(b"more "), ("a", b"tuple")).write(
        write, True).collect().wait())
    assert totals[-1] == 22
    assert os.read(read, 100) == b"text bytes more atuple"
    os.close(read)


def test_what_is_no_text():
    read, write = os.pipe()
    with pytest.raises(rac.Error):
        list(rac.of("a", 7).write(write, True).collect().wait())
    assert os.read(read, 100) == b"a"
    os.close(read)


def test_nobody_reads():
    read, write = os.pipe()
    os.close(read)
    with pytest.raises(BrokenPipeError) as caught:
        rac.of("lost").write(write, True).wait()
    assert caught.value.errno == errno.EPIPE


def test_a_bound_counts_bytes():
    read, write = os.pipe()
    bound = rac.Bound(5, "drop_newest")
    source = rac.Subject()
    heard = []
    source.write(write, True, bound).subscribe(heard.append)
    source.send_many(["123", "456", "789"])
    assert (bound.length, bound.dropped) == (6, 1)
    source.send_completed()
    rac.host.main_run_for(0.05)
    assert os.read(read, 100) == b"123456"
    os.close(read)


def test_a_connection():
    addresses = rac.ReplaySubject()

    def serve(sock):
        assert isinstance(sock, rac.types.Socket) and sock.peer == "unix:"
        return lines_of(sock).map(lambda line: line.upper()).add_delimiter(b"\n").write(sock, True)

    def ask(sock):
        assert sock.peer == "unix:@librac-python" and sock.fileno() >= 0
        asked = rac.of("one\n", "two\n").write(sock, True).ignore_values()
        return asked.merge(lines_of(sock))

    server = rac.listen("unix:@librac-python", listening=addresses).flat_map(serve).subscribe()
    assert addresses.first().wait() == "unix:@librac-python"
    for _ in range(3):
        answers = list(rac.connect("unix:@librac-python", 5).flat_map(ask).collect().wait())
        assert [str(line) for line in answers] == ["ONE", "TWO"]
    server.dispose()
    with pytest.raises(ConnectionRefusedError):
        rac.connect("unix:@librac-python").wait()


def test_datagrams():
    where = rac.ReplaySubject(1)

    def serve(sock):
        heard = rac.datagrams(sock, 4, True)
        return heard.map(lambda each: (b"%s/%d" % (each[0], each[2]), each[1])).write(sock, True)

    def ask(sock):
        asked = rac.of("one", "", "three").write(sock, True).ignore_values()
        return asked.merge(rac.chunks(sock, owned=True))

    server = rac.listen("udp:127.0.0.1:0", listening=where).flat_map(serve).subscribe()
    address = "udp:%s" % where.first().wait()
    answers = rac.connect(address).flat_map(ask).take(3).collect()
    assert list(answers.wait()) == [b"one/3", b"/0", b"thre/5"]
    server.dispose()
    read, write = os.pipe()
    os.close(write)
    with pytest.raises(ValueError):
        rac.datagrams(read, owned=True)


def test_frames():
    assert list(rac.of("a;b", b"c;", "d").split_by_delimiter(b";").collect().wait()) == [b"a", b"bc", b"d"]
    framed = rac.of("one", b"", b"three").add_length(2, True)
    assert list(framed.collect().wait()) == [b"\3\0one", b"\0\0", b"\5\0three"]
    assert list(framed.split_by_length(2, True).collect().wait()) == [b"one", b"", b"three"]
    assert list(rac.of(b"1a", b"2bc").split_by(
        lambda data: data[0] - 47 if len(data) >= data[0] - 47 else None
    ).collect().wait()) == [b"1a", b"2bc"]
    with pytest.raises(rac.Error):
        list(rac.of("long").split_by_delimiter(b";", 3).collect().wait())
    with pytest.raises(ZeroDivisionError):
        list(rac.of("x").split_by(lambda data: 1 // 0).collect().wait())
