// What people who know Combine or Rx type first: the compiler answers with the name here.

import Reactive

func ofCombine(_ n: Signal<Int>, _ p: Property<Int>, _ clock: Scheduler) {
  _ = n.sink { print($0) }  // refused: renamed to 'observe(_:)'
  _ = n.sink(receiveValue: { print($0) })  // refused: renamed to 'observe(_:)'
  _ = n.sink { _ in  // refused: renamed to 'observe(_:completion:)'
  } receiveValue: {
    print($0)
  }
  _ = n.eraseToAnyPublisher()  // refused: renamed to 'signal'
  _ = n.receive(on: clock)  // refused: renamed to 'deliver(on:)'
  _ = n.tryMap { $0 + 1 }  // refused: renamed to 'map(_:)'
  _ = n.tryFilter { $0 > 1 }  // refused: renamed to 'filter(_:)'
  _ = n.tryScan(0) { $0 + $1 }  // refused: renamed to 'scan(_:_:)'
  _ = n.tryCatch { _ in Signal.just(1) }  // refused: renamed to 'catch(_:)'
  _ = n.ignoreOutput()  // refused: renamed to 'ignoringValues()'
  _ = n.output(at: 1)  // refused: renamed to 'element(at:)'
  _ = n.makeConnectable()  // refused: renamed to 'publish()'
  _ = n.setFailureType(to: EngineError.self)  // refused: errors have no type here
  _ = n.assign(to: p)  // refused: write property.bind(to: signal)
  _ = n.handleEvents(receiveOutput: { print($0) })  // refused: it is handleNext
  n.observe { print($0) }.cancel()  // refused: renamed to 'dispose()'
}

func ofRx(_ n: Signal<Int>, _ s: Subject<Int>, _ p: Property<Int>) {
  _ = n.subscribe { print($0) }  // refused: renamed to 'observe(_:)'
  _ = n.subscribe(onNext: { print($0) })  // refused: renamed to 'observe(_:)'
  _ = n.asObservable()  // refused: renamed to 'signal'
  _ = n.distinctUntilChanged()  // refused: renamed to 'removeDuplicates()'
  _ = n.distinctUntilChanged { $0 % 3 }  // refused: renamed to 'removeDuplicateKeys(_:)'
  _ = n.distinct()  // refused: renamed to 'uniqued()'
  _ = n.take(3)  // refused: renamed to 'prefix(_:)'
  _ = n.take(until: p)  // refused: renamed to 'prefixUntil(_:)'
  _ = n.take(while: { $0 < 3 })  // refused: renamed to 'prefix(while:)'
  _ = n.takeLast(3)  // refused: renamed to 'suffix(_:)'
  _ = n.skip(3)  // refused: renamed to 'dropFirst(_:)'
  _ = n.skip(until: p)  // refused: renamed to 'dropUntil(_:)'
  _ = n.skip(while: { $0 < 3 })  // refused: renamed to 'drop(while:)'
  _ = n.startWith(3)  // refused: renamed to 'prepend(_:)'
  _ = n.concat(p)  // refused: renamed to 'append(_:)'
  _ = n.map { Signal.just($0) }.switchLatest()  // refused: renamed to 'switchToLatest()'
  _ = n.switchMap { Signal.just($0) }  // refused: renamed to 'flatMapLatest(_:)'
  _ = n.exhaustMap { Signal.just($0) }  // refused: renamed to 'flatMapFirst(_:)'
  _ = n.mergeMap { Signal.just($0) }  // refused: renamed to 'flatMap(_:)'
  _ = n.withLatestFrom(p)  // refused: renamed to 'withLatest(from:)'
  _ = n.catchAndReturn(3)  // refused: renamed to 'replaceError(with:)'
  _ = n.catchErrorJustReturn(3)  // refused: renamed to 'replaceError(with:)'
  _ = n.do(onNext: { print($0) })  // refused: renamed to 'handleNext(_:)'
  _ = n.tap { print($0) }  // refused: renamed to 'handleNext(_:)'
  _ = n.toArray()  // refused: renamed to 'collect()'
  _ = n.buffer(3)  // refused: renamed to 'chunks(ofCount:)'
  _ = n.groupBy { $0 % 2 }  // refused: renamed to 'grouped(by:)'
  _ = n.pairwise()  // refused: renamed to 'adjacentPairs()'
  _ = n.ignoreElements()  // refused: renamed to 'ignoringValues()'
  _ = n.shareReplay(1)  // refused: renamed to 'share(replaying:)'
  _ = Signal.of(1, 2, 3)  // refused: write Signal([1, 2, 3])
  _ = Signal<Int>.error(EngineError(domain: "", code: 1, message: ""))  // refused: 'fail(_:)'
  s.onNext(3)  // refused: renamed to 'send(_:)'
  s.onCompleted()  // refused: renamed to 'complete()'
  p.accept(3)  // refused: renamed to 'set(_:)'
}
