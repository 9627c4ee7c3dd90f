import CRACShims

/// A line in its buffer, behind which there is a NUL.
struct Line {
  let start: UnsafeRawPointer
  let count: Int
  /// It is known to be ASCII.
  let isPlain: Bool

  /// A string, or bytes if it is not UTF-8: lent.
  var text: Value { isPlain ? .string(start, count) : .text(start, count) }
}

/// Bytes that come in portions and go as lines. A line is good until the next call for room.
struct LineBuffer {
  private static let least = 16_384
  /// Its size where more comes than there is room for.
  private static let most = 65_536

  private var bytes: UnsafeMutableRawPointer? = nil
  /// One less than there is memory for: behind the last line there is room for a NUL.
  private var capacity = 0
  private var start = 0
  private var end = 0
  /// Where the line begins that was given out last.
  private var last = 0
  /// There is no newline before this.
  private var searched = 0
  /// Up to here all is ASCII, so lines that end before it are text.
  private var plain = 0
  /// The last portion filled it: there may be more.
  private var wasFilled = false

  /// Bytes that are not given out.
  var count: Int { end &- start }

  /// Whether they are too long a line. The newline may be to come; a return may be part of it.
  func isFull(of longest: Int) -> Bool {
    guard count > longest, let bytes else { return false }
    return count > longest &+ 1 || bytes.load(fromByteOffset: end &- 1, as: UInt8.self) != 13
  }

  mutating func deallocate() { rac_shim_free(bytes) }

  /// The next line, with a NUL in place of its line ending; when nothing more comes, the rest.
  mutating func next(orRest isLast: Bool) -> Line? {
    guard start < end, let bytes else { return nil }
    searched &+= Int(rac_shim_find_newline(bytes + searched, end &- searched))
    let isWhole = searched < end
    guard isWhole || isLast else { return nil }
    let line = bytes + start
    last = start
    var length = searched &- start
    if isWhole {
      searched &+= 1
      if length > 0, line.load(fromByteOffset: length &- 1, as: UInt8.self) == 13 { length &-= 1 }
    }
    start = searched
    line.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
    return Line(start: UnsafeRawPointer(line), count: length, isPlain: searched <= plain)
  }

  /// The line that was given out last has gone to nobody: its bytes count again.
  mutating func takeBack() { start = last }

  /// Nothing is left of what was added.
  mutating func clear() { start = end }

  /// How much more there is room for; 0: there is no memory. It grows as long as a line does not
  /// fit, or portions fill it.
  mutating func makeRoom(atMost limit: Int) -> Int {
    if let bytes, start > 0 {
      rac_shim_move(bytes, bytes + start, count)
      end &-= start
      searched &-= start
      plain = max(plain &- start, 0)
      start = 0
    }
    let most = wasFilled ? max(limit, LineBuffer.most) : limit
    if end == capacity || wasFilled && capacity < LineBuffer.most {
      let larger = max(LineBuffer.least, min(most, capacity &* 2))
      if let moved = rac_shim_enlarge_checked(bytes, capacity, larger &+ 1) {
        bytes = moved
        capacity = larger
      }
    }
    return capacity &- end
  }

  var room: UnsafeMutableRawPointer? { bytes.map { $0 + end } }

  mutating func add(_ count: Int) {
    end &+= count
    wasFilled = end == capacity
    plain = max(plain, start)
    if let bytes { plain &+= Int(rac_shim_count_ascii(bytes + plain, end &- plain)) }
  }
}
