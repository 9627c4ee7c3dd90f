import CReactive
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Objects and blocks that a thread uses again, for observing and subscribing: malloc() would cost
/// three times as much.
@usableFromInline
struct ThreadStore {
  var keepers: Unmanaged<Keeper>?
  /// Blocks of `blockSize`, each with the address of the next.
  private var blocks: UnsafeMutableRawPointer?
  private var count = 0

  @inlinable static var blockSize: Int { @inline(__always) get { 64 } }
  /// More than that a thread does not put by.
  private static let most = 64

  @inline(__always)
  static var current: UnsafeMutablePointer<ThreadStore> {
    let word = reactive_thread_word()
    return word.pointee.map { $0.assumingMemoryBound(to: ThreadStore.self) } ?? make(word)
  }

  @inline(never)
  private static func make(_ word: UnsafeMutablePointer<UnsafeMutableRawPointer?>)
    -> UnsafeMutablePointer<ThreadStore>
  {
    let store = UnsafeMutablePointer<ThreadStore>.allocate(capacity: 1)
    store.initialize(to: ThreadStore())
    word.pointee = UnsafeMutableRawPointer(store)
    pthread_setspecific(ending, store)
    return store
  }

  /// The system calls this key's destructor when a thread ends. A later destructor that observes
  /// makes a store anew, and the system calls again.
  private static let ending: pthread_key_t = {
    var made = pthread_key_t()
    #if canImport(Darwin)
      pthread_key_create(&made) { ThreadStore.end($0) }
    #else
      pthread_key_create(&made) { if let store = $0 { ThreadStore.end(store) } }
    #endif
    return made
  }()

  private static func end(_ memory: UnsafeMutableRawPointer) {
    reactive_thread_word().pointee = nil
    let store = memory.assumingMemoryBound(to: ThreadStore.self)
    Keeper.drop(store.pointee.keepers)
    while let block = store.pointee.blocks {
      store.pointee.blocks = block.load(as: UnsafeMutableRawPointer?.self)
      block.deallocate()
    }
    store.deallocate()
  }

  /// Memory of `blockSize` bytes, for anything that needs no more.
  @usableFromInline
  static func takeBlock() -> UnsafeMutableRawPointer {
    let thread = current
    guard let block = thread.pointee.blocks else {
      return .allocate(byteCount: blockSize, alignment: 16)
    }
    thread.pointee.blocks = block.load(as: UnsafeMutableRawPointer?.self)
    thread.pointee.count &-= 1
    return block
  }

  @usableFromInline
  static func giveBlock(_ block: UnsafeMutableRawPointer) {
    let thread = current
    guard thread.pointee.count < most else { return block.deallocate() }
    block.storeBytes(of: thread.pointee.blocks, as: UnsafeMutableRawPointer?.self)
    thread.pointee.blocks = block
    thread.pointee.count &+= 1
  }
}
