import CRACShims
import Synchronization

/// A subscription: the links that have to stop when it ends, and whether it has.
///
/// Everything upstream of a subscriber shares its scope: the subscriber at the bottom, the
/// operators above it, and the source that feeds them. Operators that subscribe to several signals
/// give each input a scope of its own, linked into the one below.
final class Scope: Link {
  /// Nothing in it.
  private static let empty: UInt = 0
  /// This bit: ended. A link that comes now is disposed at once.
  private static let closed: UInt = 1
  /// More than one link, or it once had: see `list`.
  private static let listed: UInt = 2
  /// Bits that an address does not have unless a program asks the system for such a one: how many
  /// threads dispose the only link.
  private static let oneThread: UInt = 1 << 48
  private static let threads: UInt = 127 << 48

  /// Guards the list.
  private let lock = Lock()
  /// One of the above, or the address of the only link, retained. A subscription mostly has one,
  /// and then joining and leaving are one atomic operation each, and closing two.
  private let word = Atomic<UInt>(Scope.empty)
  /// Made with the second link.
  @exclusivity(unchecked) private var list: UnsafeMutablePointer<LinkList>?
  /// Disposed when it was closed already: by what its end disposed, perhaps.
  private let wasDisposedAfterwards = Atomic<Bool>(false)

  @inline(__always)
  override init() { super.init() }

  var isActive: Bool { word.load(ordering: .relaxed) & Scope.closed == 0 }

  override var isDisposed: Bool { word.load(ordering: .acquiring) & Scope.closed != 0 }

  /// Ends the subscription: everything in it is disposed. True for the one caller that ended it.
  @discardableResult
  func close() -> Bool {
    guard let before = end() else { return false }
    disposeWhatWas(before)
    return true
  }

  /// Ends it. The one caller that does gets what it has to dispose; the others nil.
  @inline(__always)
  private func end() -> UInt? {
    var before = word.load(ordering: .acquiring)
    while true {
      if before & Scope.closed != 0 { return nil }
      let isSole = before > Scope.listed
      let after = before | (isSole ? Scope.closed | Scope.oneThread : Scope.closed)
      let (changed, now) = word.weakCompareExchange(
        expected: before, desired: after,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if changed {
        if rac_stages_are_watched() { tellStages() }
        return isSole ? after : before
      }
      before = now
    }
  }

  @inline(never)
  private func tellStages() { rac_stages_end(Unmanaged.passUnretained(self).toOpaque()) }

  private func disposeWhatWas(_ before: UInt) {
    if before > Scope.listed { closeSole(before) } else if before == Scope.listed { closeList() }
  }

  @inline(__always)
  private func closeSole(_ mine: UInt) {
    let link = Scope.link(mine)
    link._withUnsafeGuaranteedRef { $0.dispose() }
    let (isAlone, _) = word.replace(mine, with: Scope.closed)
    if isAlone { link.drop() } else { leaveSole(link) }
  }

  /// The last thread that disposes it lets go of it.
  @inline(never)
  private func leaveSole(_ link: Unmanaged<Link>) {
    let now = word.wrappingSubtract(Scope.oneThread, ordering: .acquiringAndReleasing).newValue
    if now & Scope.threads != 0 { return }
    word.store(Scope.closed, ordering: .releasing)
    if Stack.isShort { Worker.run { link.drop() } } else { link.drop() }
  }

  @inline(never)
  private func closeList() {
    // A thread that adds does so under the lock and looks at the word again, so nothing is missed.
    var last: Unmanaged<Link>? = nil
    while let link = takeLast() {
      last?.drop()
      link._withUnsafeGuaranteedRef { $0.dispose() }
      last = link
    }
    last?.drop()
  }

  /// Perhaps inside the disposal of another scope, and that inside of another.
  override func dispose() {
    if Stack.isShort { return disposeOnWorker() }
    if let before = end() { disposeWhatWas(before) } else { disposeAfterwards() }
  }

  /// It is over from here on; the rest may follow.
  private func disposeOnWorker() {
    if let before = end() {
      if before == Scope.empty { return }
      if before > Scope.listed {
        Scope.link(before)._withUnsafeGuaranteedRef { $0.assist(silently: true) }
      } else {
        hushList()
      }
      Worker.run { self.disposeWhatWas(before) }
    } else {
      disposeAfterwards()
    }
  }

  private func disposeAfterwards() {
    wasDisposedAfterwards.store(true, ordering: .relaxed)
    assist(silently: false)
  }

  /// Another thread may have closed it this moment, and not have come to the sources yet.
  override func assist(silently: Bool) {
    if silently { return }
    let isShort = Stack.isShort
    var now = word.load(ordering: .acquiring)
    if now == Scope.listed | Scope.closed { return isShort ? hushList() : assistList() }
    // Of more threads than there is room for the others go on: the law is for those who count.
    while now > Scope.listed, now & Scope.threads != 0, now & Scope.threads != Scope.threads {
      let (joined, actual) = word.weakCompareExchange(
        expected: now, desired: now &+ Scope.oneThread,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if joined {
        let link = Scope.link(now)
        link._withUnsafeGuaranteedRef { $0.assist(silently: isShort) }
        return leaveSole(link)
      }
      now = actual
    }
  }

  /// One by one, since there may be no memory for a list of them.
  private func assistList() {
    var place: Int32 = 0
    while let link = lock.locked({ list?.pointee.next(from: &place) }) {
      link._withUnsafeGuaranteedRef { $0.assist(silently: false) }
      link.drop()
    }
  }

  /// Under the lock, so that nobody is left with the last reference where there is no stack for
  /// that. It runs nobody's code.
  private func hushList() { lock.locked { list?.pointee.forEach { $0.assist(silently: true) } } }

  /// The same for an end that is to be called back: not when it was disposed while what is above
  /// was.
  func closeToEnd() -> Bool {
    close() && !wasDisposedAfterwards.load(ordering: .relaxed)
  }

  /// Disposes the link at once when the scope is closed already.
  func add(_ link: Link) {
    // Retained first: a closing thread may take it out at once.
    add(owned: .passRetained(link))
  }

  /// The same, taking over the caller's reference.
  @inline(__always)
  func add(owned link: Unmanaged<Link>) {
    let (added, now) = word.replace(Scope.empty, with: UInt(bitPattern: link.toOpaque()))
    if added { return }
    if now & Scope.closed != 0 || !addToList(link) {
      link._withUnsafeGuaranteedRef { $0.dispose() }
      link.drop()
    }
  }

  /// Lets the link go without disposing it. No-op when it is not in this scope.
  func remove(_ link: Link) { take(link)?.drop() }

  /// The scope's reference to the link, which leaves without being disposed; nil when it is not in
  /// this scope, or is being disposed.
  func take(_ link: Link) -> Unmanaged<Link>? {
    let address = Scope.address(link)
    let (removed, now) = word.replace(address, with: Scope.empty)
    if removed { return .passUnretained(link) }
    return now == Scope.listed ? unlink(link) : nil
  }

  /// The same for the only link that this scope ever has at a time. False: it is being disposed,
  /// and may be gone.
  func takeOnly(_ link: Unmanaged<Link>) -> Bool {
    word.replace(UInt(bitPattern: link.toOpaque()), with: Scope.empty).exchanged
  }

  /// Nothing is in it, nor was it closed.
  var isEmpty: Bool { word.load(ordering: .relaxed) == Scope.empty }

  /// Such a link, if there is one, joins the others in the scope below, where this one stays the
  /// last. A scope that is closed by then does not: so it is there only if it was closed later.
  /// Nobody else adds here meanwhile.
  @inline(never)
  func moveOnly(to below: Scope) {
    let now = word.load(ordering: .acquiring)
    guard now > Scope.listed, now & Scope.closed == 0,
      word.replace(now, with: Scope.empty)
        .exchanged
    else { return }
    let link = Unmanaged<Link>.fromOpaque(UnsafeRawPointer(bitPattern: now).unsafelyUnwrapped)
    if link._withUnsafeGuaranteedRef({ $0.isDisposed }) { return link.drop() }
    if !below.addToList(link, before: self) {
      link._withUnsafeGuaranteedRef { $0.dispose() }
      link.drop()
    }
  }

  /// Takes over the reference; false: the scope was closed meanwhile, or is not to have the link.
  private func addToList(_ link: Unmanaged<Link>, before last: Link? = nil) -> Bool {
    lock.lock()
    if last != nil, link._withUnsafeGuaranteedRef({ $0.isDisposed }) {
      lock.unlock()
      return false
    }
    var now = word.load(ordering: .acquiring)
    while now != Scope.listed {
      if now & Scope.closed != 0 {
        lock.unlock()
        return false
      }
      let (changed, actual) = word.replace(now, with: Scope.listed)
      if changed {
        if now != Scope.empty { insert(Scope.link(now)) }
        break
      }
      now = actual
    }
    if let list, list.pointee.isFull { return addToFullList(link, before: last) }
    insert(link, before: last)
    lock.unlock()
    return true
  }

  /// Under the lock, which is left. Makes room by letting go of those that are spent.
  private func addToFullList(_ link: Unmanaged<Link>, before last: Link?) -> Bool {
    let spent = list.unsafelyUnwrapped.pointee.takeSpent()
    insert(link, before: last)
    lock.unlock()
    // Their contents are the user's, and released outside the lock.
    for link in spent { link.drop() }
    return true
  }

  @inline(__always)
  private func insert(_ link: Unmanaged<Link>, before last: Link? = nil) {
    let list = self.list ?? makeList()
    list.pointee.append(link)
    if let last { list.pointee.exchange(link, last) }
  }

  private func makeList() -> UnsafeMutablePointer<LinkList> {
    let fresh = rac_shim_allocate(MemoryLayout<LinkList>.size).unsafelyUnwrapped
      .bindMemory(to: LinkList.self, capacity: 1)
    fresh.initialize(to: LinkList())
    list = fresh
    return fresh
  }

  private func unlink(_ link: Link) -> Unmanaged<Link>? {
    lock.locked { list?.pointee.remove(link) }
  }

  private func takeLast() -> Unmanaged<Link>? { lock.locked { list?.pointee.popLast() } }

  private static func address(_ link: Link) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(link).toOpaque())
  }

  private static func link(_ address: UInt) -> Unmanaged<Link> {
    let bits = address & ~(Scope.threads | Scope.closed)
    return Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: bits).unsafelyUnwrapped)
  }

  deinit {
    let last = word.load(ordering: .acquiring)
    if last > Scope.listed | Scope.closed { Scope.link(last).drop() }
    if let list {
      list.pointee.deallocate()
      rac_shim_free(list)
    }
  }

  // MARK: Beginning

  /// It was over before it began, because the subscriber is. Set before the subscription starts.
  @exclusivity(unchecked) var isStillborn = false

  /// Whether the callback of a source may run. For a stillborn subscription too, as in RAC: the
  /// disposable that it returns is then disposed at once.
  var runsSource: Bool { isActive || isStillborn }

  // MARK: Waiting until nothing can be called any more

  /// Whether callbacks of the user's are at the bottom. Set before the subscription starts.
  @exclusivity(unchecked) var belongsToCallbacks = false

  /// That destroy comes after the end callback is ordered by reference counts, which
  /// ThreadSanitizer does not see; these two it does.
  private let hasReturned = Atomic<Bool>(false)
  func calledBack() { hasReturned.store(true, ordering: .releasing) }
  func awaitCallback() { _ = hasReturned.load(ordering: .acquiring) }
}
