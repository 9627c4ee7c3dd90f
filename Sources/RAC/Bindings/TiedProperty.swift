import Synchronization

/// A property that shares its value with others: see Tie. All of it inside the gate, but for what
/// says otherwise.
extension MutablePropertyCore {
  /// When the gate's turn for it comes. From anywhere.
  final func perform(_ act: TieTask.Act, _ tie: Tie) {
    submitRarely(.fire, TieTask(act, tie))
  }

  final func add(_ tie: Tie) {
    if hasEnded { return tie.dispose() }
    // Disposed before its turn came: the removal is already behind us.
    if tie.isDisposed { return }
    Parts.locked { ties.append(tie) }
    traits.insert(.tied)
    tie.added(to: self)
  }

  /// Adds a tie whose other side is to take this side's value, as if that were set only now.
  final func introduce(_ tie: Tie) {
    add(tie)
    if tie.isDisposed { return }
    let time = ChangeClock.next()
    renew(stamp.load(ordering: .relaxed), time, besides: tie)
    _ = tie.changed(current, at: time, renewing: 0, in: self)
  }

  final func remove(_ tie: Tie) {
    var index = 0
    while index < ties.count, ties[index] !== tie { index &+= 1 }
    if index < ties.count {
      let removed = Parts.locked { ties.remove(at: index) }
      withExtendedLifetime(removed) {}
    }
    if ties.isEmpty { traits.remove(.tied) }
  }

  final func takeTies() -> [Tie] {
    traits.remove(.tied)
    return Parts.locked {
      let all = ties
      ties = []
      return all
    }
  }

  /// Whether a change of that time would be dropped. Times only grow, so anybody may ask.
  final func isOutOfDate(_ time: UInt64) -> Bool { time <= stamp.load(ordering: .relaxed) }

  /// The change of the time before counts as of the other one from here on.
  @inline(never)
  final func renew(_ before: UInt64, _ time: UInt64, besides origin: Tie?) {
    stamp.store(time, ordering: .relaxed)
    _ = tell(time, renewing: before, besides: origin)
  }

  /// RAC_QUEUED when somebody else has to go on with it; or why one of them refused it.
  final func tell(
    _ time: UInt64, renewing renewed: UInt64 = 0, besides origin: Tie?
  ) -> rac_status {
    var answer = Status.ok
    // They stay as they are meanwhile: who wants to change them waits in the gate's line.
    ties.withUnsafeBufferPointer {
      var index = 0
      while index < $0.count {
        let tie = Unmanaged.passUnretained($0[index])
        index &+= 1
        tie._withUnsafeGuaranteedRef {
          if $0 === origin { return }
          let status = $0.changed(current, at: time, renewing: renewed, in: self)
          // One that has ended has nothing to refuse.
          if status == Status.done || answer < 0 { return }
          if status != Status.ok { answer = status }
        }
      }
    }
    return answer
  }
}
