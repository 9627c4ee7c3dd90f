/// A line: in at the end, out at the front, each in constant time on average.
struct Fifo<Element> {
  private var elements: [Element] = []
  /// How many at the front have left already.
  private var head = 0

  var count: Int { elements.count &- head }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head]
    head &+= 1
    // Give back the front once it is most of the line.
    if head &* 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
