/// The constants of RAC_ROLLING_….
enum Statistic: Int32 {
  case mean = 1
  case variance = 2
  case min = 3
  case max = 4
}

/// A statistic of the last numbers, kept up to date with every one that comes. The owner drops
/// the oldest.
///
/// A sum from which the oldest number is taken is inexact, and a minimum cannot be taken back. So
/// this is the two-stack queue of sliding-window aggregation. The newer part holds the numbers and
/// one summary of them. The older part holds in each place the summary of that number and all
/// behind it in the part: dropping the oldest means looking at the next place. When the older part
/// is empty, the newer one becomes it, from its end to its beginning. A number takes three
/// combinations on average, whatever the size of the window.
struct StatisticWindow: ~Copyable {
  /// A summary of some numbers: their sum, of two doubles; their mean and the squares of the
  /// distances from it; or the least or greatest.
  private struct Part {
    var first: Double
    var second: Double
  }

  private let statistic: Statistic
  private var ring = Ring<Part>()
  /// How many of them are of the older part.
  private var older = 0
  private var newer = Part(first: 0, second: 0)

  init(_ statistic: Statistic) { self.statistic = statistic }

  var count: Int { ring.count }

  /// False: there is no memory.
  mutating func append(_ number: Double) -> Bool {
    let part = Part(first: number, second: 0)
    let before = count
    guard ring.append(part) else { return false }
    newer = older == before ? part : join(newer, before &- older, part, 1)
    return true
  }

  /// Of one number or more.
  var result: Double {
    var all = newer
    if older > 0 {
      all = join(ring[0], older, newer, count &- older)
    }
    switch statistic {
    case .mean: return (all.first + all.second) / Double(count)
    case .variance:
      return count > 1 && all.first.isFinite ? all.second / Double(count &- 1) : .nan
    case .min, .max: return all.first
    }
  }

  /// There must be one.
  mutating func dropOldest() {
    if older == 0 { turn() }
    ring.dropOldest()
    older &-= 1
  }

  private mutating func turn() {
    var place = count &- 1
    while place > 0 {
      let behind = ring[place]
      ring[place &- 1] = join(ring[place &- 1], 1, behind, count &- place)
      place &-= 1
    }
    older = count
  }

  /// The summary of two parts together, of so many numbers each.
  private func join(_ a: Part, _ aCount: Int, _ b: Part, _ bCount: Int) -> Part {
    switch statistic {
    case .mean:
      var sum = LongDouble(high: a.first, low: a.second)
      sum.add(LongDouble(high: b.first, low: b.second))
      return Part(first: sum.high, second: sum.low)
    case .variance:
      let (m, n) = (Double(aCount), Double(bCount))
      let distance = b.first - a.first
      let share = n / (m + n)
      return Part(
        first: a.first + distance * share,
        second: a.second + b.second + distance * distance * m * share)
    case .min: return a.first.isNaN || a.first < b.first ? a : b
    case .max: return a.first.isNaN || a.first > b.first ? a : b
    }
  }
}
