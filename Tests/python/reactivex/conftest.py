"""Has the tests of reactivex import librac.rx where they say reactivex."""

import sys
import types

import librac as rac
from librac import rx
from librac.rx import abc, disposable, notification, operators, scheduler, subject, testing
from librac.rx import _errors as errors
from librac.rx import _marbles as drawn
from librac.rx.testing import marbles


def pretend():
    """What librac.rx lacks is no module here, and a test that asks for it is not run."""
    internal = types.ModuleType("reactivex.internal")
    internal.__path__ = []
    basic = types.ModuleType("reactivex.internal.basic")
    basic.noop = lambda *_, **__: None
    observable = types.ModuleType("reactivex.observable")
    observable.__path__ = []
    observable.Observable = rx.Observable
    observable.ConnectableObservable = rx.ConnectableObservable
    loops = types.ModuleType("reactivex.scheduler.eventloop")
    loops.AsyncIOScheduler = scheduler.AsyncIOScheduler
    named = {
        "": rx, ".abc": abc, ".disposable": disposable, ".internal": internal,
        ".internal.exceptions": errors, ".internal.basic": basic,
        ".notification": notification, ".observable": observable, ".observable.marbles": drawn,
        ".observable.observable": observable, ".observable.connectableobservable": observable,
        ".operators": operators, ".scheduler": scheduler, ".scheduler.eventloop": loops,
        ".subject": subject, ".testing": testing, ".testing.testscheduler": testing,
        ".testing.reactivetest": testing, ".testing.recorded": testing,
        ".testing.subscription": testing, ".testing.coldobservable": testing,
        ".testing.marbles": marbles,
    }
    for name, module in named.items():
        sys.modules["reactivex" + name] = module


pretend()
rac.on_unhandled = lambda error, chain, value: None
