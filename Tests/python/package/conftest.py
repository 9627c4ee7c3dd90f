"""Every test of the package: nothing that it made is alive when it has ended."""

import asyncio
import gc
import time

import pytest

import librac as rac

try:
    import uvloop
except ImportError:
    uvloop = None


def pytest_addoption(parser):
    parser.addoption("--reactivex", metavar="DIR", help="a copy of reactivex, whose tests run, too")


def settled_objects(before):
    """How many objects live once what is on its way out has gone: garbage, and what
    threads of the library ran last, which they let go of a moment later."""
    live = rac.host.live_objects()
    if live > before:
        rac.host.settle(20)  # what threads sent faster than it was heard
    end = time.monotonic() + 20
    while live > before and time.monotonic() < end:
        gc.collect()
        rac.host.main_run_for(0.005)
        live = rac.host.live_objects()
    return live


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.when == "call":
        item.has_passed = report.passed
    return report


@pytest.fixture(autouse=True)
def no_leaks(request):
    before = rac.host.live_objects()
    yield
    if not getattr(request.node, "has_passed", False):
        return  # its traceback holds what it made
    request.node.funcargs.clear()
    live = settled_objects(before)
    if live > before:
        pytest.fail(f"{live - before} objects are left: {rac.host.report_live()}")


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request):
    """asyncio.run() with each kind of loop."""
    if request.param == "asyncio":
        return asyncio.run
    if uvloop is None:
        pytest.skip("uvloop is not installed")

    def run(main):
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(main)

    return run
