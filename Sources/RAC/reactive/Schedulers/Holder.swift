/// A place that is full, as a report names it.
struct Holder {
  enum Place: UInt8 {
    case bound, deliverOn, flatten, zip, rateLimit, pausable
  }

  var place = Place.bound
  /// How many wait there.
  var length: Int32 = 0

  @inline(never)
  func describe(_ held: StaticString, to text: inout TextBuffer) {
    text.append(held)
    text.append(" is held by ")
    text.append(name)
    text.append(" where ")
    text.append(Int64(length))
    text.append(" wait")
  }

  private var name: StaticString {
    switch place {
    case .bound: "a bound"
    case .deliverOn: "deliverOn:"
    case .flatten: "flatten:"
    case .zip: "zip:"
    case .rateLimit: "rateLimit:"
    case .pausable: "pausable:"
    }
  }
}
