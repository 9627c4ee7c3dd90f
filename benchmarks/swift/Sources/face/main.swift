import Foundation

/// Nanoseconds of this thread's processor time.
func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func measure(_ work: (Int) -> Int, _ count: Int) -> (Double, Int) {
  let begun = now()
  let sum = work(count)
  return (Double(now() - begun) / Double(count), sum)
}

func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

func report(_ name: String, _ names: Double, _ face: Double, _ limit: Double) {
  if let linked {
    let times = "\"names\": \(names), \"face\": \(face)"
    print("{\"linked\": \"\(linked)\", \"name\": \"\(name)\", \(times)}")
    return
  }
  let text = name.padding(toLength: 27, withPad: " ", startingAt: 0)
  let ratio = String(format: "%9.1f%9.1f%7.2f", names, face, face / names)
  print(text + ratio + " " + (limit > 0 ? String(format: "%6.2f", limit) : "     –"))
}

/// Nanoseconds of the process's processor time: what is asynchronous runs on several threads.
func measure(_ work: (Int) async -> Void, _ count: Int) async -> Double {
  var (begun, ended) = (timespec(), timespec())
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun)
  await work(count)
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended)
  let seconds = Double(ended.tv_sec - begun.tv_sec)
  return (seconds * 1e9 + Double(ended.tv_nsec - begun.tv_nsec)) / Double(count)
}

// A process of one thread does without atomic operations in libc: a poor model of a program.
let parked = Thread { Thread.sleep(forTimeInterval: .infinity) }
parked.start()

let arguments = CommandLine.arguments.dropFirst()
let rounds = arguments.contains("--quick") ? 3 : 21
// For programs: how this one is linked stands in each line.
let linked = arguments.first { $0.hasPrefix("--json=") }?.dropFirst("--json=".count)
let wanted = arguments.filter { !$0.hasPrefix("--") }
// Only the face, so many times, or, after --names, only the C names: for a profile.
if let index = arguments.firstIndex(of: "--profile"), let count = Int(arguments[index + 1]) {
  for row in rows + typeRows where row.name.contains(arguments[index + 2]) {
    _ = arguments.contains("--names") ? row.names(count) : row.face(count)
  }
  exit(0)
}
var failed = false
if linked == nil { print("row                          C names     face  ratio  limit") }
for row in rows + typeRows where wanted.isEmpty || wanted.contains(where: row.name.contains) {
  var names: [Double] = []
  var face: [Double] = []
  let isComparable = row.names(1000) == row.face(1000)
  let count = max(1000, min(300_000, Int(3_000_000 / max(measure(row.face, 2000).0, 1))))
  for _ in 0..<rounds {
    names.append(measure(row.names, count).0)
    face.append(measure(row.face, count).0)
  }
  report(row.name, median(names), median(face), row.limit)
  if !isComparable && rows.contains(where: { $0.name == row.name }) {
    print("  the sums differ")
    failed = true
  }
}
for row in asyncRows where wanted.isEmpty || wanted.contains(where: row.name.contains) {
  var bare: [Double] = []
  var face: [Double] = []
  for _ in 0..<max(rounds / 3, 3) {
    bare.append(await measure(row.bare, row.count))
    face.append(await measure(row.face, row.count))
  }
  report(row.name, median(bare), median(face), row.limit)
}
exit(failed ? 1 : 0)
