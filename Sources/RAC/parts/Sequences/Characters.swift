/// Where a character ends, as a reader sees it: a code point with the marks that belong to it.
///
/// Unicode's own rules need tables as large as this library. These are what text mostly has:
/// combining marks, variation selectors, joined emoji, flags, Korean syllables written in letters,
/// CR LF.
enum Characters {
  /// The bytes of the character that begins there. The text is valid UTF-8, and does not end there.
  static func length(_ text: UnsafeRawBufferPointer, at start: Int) -> Int {
    var (last, at) = scalar(text, start)
    // Of flags, each of which is a pair.
    var isHalfFlag = isRegional(last)
    while at < text.count {
      let (next, after) = scalar(text, at)
      if isHalfFlag && isRegional(next) {
        isHalfFlag = false
      } else {
        let isJoined = last == joiner && next >= 0x2000
        guard extends(next) || isJoined || (last == 0x0D && next == 0x0A) else { break }
        // Nothing is put on a line's end.
        if last < 0x20 && next != 0x0A { break }
      }
      last = next
      at = after
    }
    return at &- start
  }

  private static let joiner: UInt32 = 0x200D

  private static func isRegional(_ scalar: UInt32) -> Bool { scalar >> 5 == 0x1F1E0 >> 5 }

  /// Whether the code point belongs to the one before it.
  private static func extends(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0...0x2FF: return false
    case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x64B...0x65F: return true
    case 0x1160...0x11FF: return true
    case 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: return true
    case joiner, 0xFE00...0xFE0F, 0xFE20...0xFE2F: return true
    case 0x1F3FB...0x1F3FF, 0xE0020...0xE007F, 0xE0100...0xE01EF: return true
    default: return false
    }
  }

  /// The code point there, and where the next one begins.
  private static func scalar(_ text: UnsafeRawBufferPointer, _ at: Int) -> (UInt32, Int) {
    let lead = UInt32(text[at])
    let more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3
    var scalar = more == 0 ? lead : lead & (0x3F >> UInt32(more))
    var index = 1
    while index <= more && at &+ index < text.count {
      scalar = scalar << 6 | UInt32(text[at &+ index] & 0x3F)
      index &+= 1
    }
    return (scalar, at &+ index)
  }
}
