// Readings into a stream of Redis and their sums out of it, over the C names.
//
//     swiftc -I include -I machines/examples/swift machines/examples/swift/main.swift \
//       -L build -lrac-redis -lrac -o readings && ./readings /tmp/redis.sock

import CRACRedis

func refused() -> Never { fatalError(String(cString: rac_redis_last_message())) }

/// Waits for the end of a signal, and lets go of it.
func finish(_ signal: OpaquePointer?) {
  let status = rac_signal_wait_until_completed(signal, 20, nil)
  precondition(status == RAC_OK, String(cString: rac_status_name(status)))
  rac_release(.init(signal))
}

let redis = CommandLine.arguments[1].withCString { socket in
  var options = rac_redis_options()
  options.size = MemoryLayout<rac_redis_options>.size
  options.socket = socket
  return rac_redis_create(&options)
}
guard let redis else { refused() }

// Nobody has to be there when a reading is stored.
var storing = rac_redis_publish_options()
storing.size = MemoryLayout<rac_redis_publish_options>.size
storing.ends = true
let range = rac_sequence_range(1, 1, 1000)
let worker = rac_scheduler_background(0, "readings")
let readings = rac_sequence_signal(range, worker)
finish(rac_redis_publish(redis, readings, "readings", &storing))

// The sum so far, at each reading.
let stored = "0".withCString { beginning in
  var reading = rac_redis_read_options()
  reading.size = MemoryLayout<rac_redis_read_options>.size
  reading.from = beginning
  reading.ends = true
  return rac_redis_read(redis, "readings", &reading)
}
let sums = rac_signal_scan(
  stored, rac_value_int64(0), nil,
  { _, sum, reading, out in
    out?.pointee = rac_value_int64(sum.bits + reading.bits)
    return RAC_OK
  }, nil)
let rounds = rac_signal_filter(
  sums, nil,
  { _, sum, out in
    out?.pointee = sum.bits % 100 == 0
    return RAC_OK
  }, nil)
let shown = rac_signal_do_next(
  rounds, nil, { _, sum in print("sum", sum.bits) }, nil)
finish(shown)

for handle in [rounds, sums, stored, readings, worker, range] { rac_release(.init(handle)) }
var counts = rac_redis_stats()
counts.size = MemoryLayout<rac_redis_stats>.size
rac_redis_get_stats(redis, &counts)
print("stored", counts.acknowledged, "read", counts.received)
rac_redis_release(redis)
