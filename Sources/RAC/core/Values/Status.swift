/// The status constants of the C header, with the type that functions return.
enum Status {
  static var ok: rac_status { RAC_OK }
  static var queued: rac_status { RAC_QUEUED }
  static var pending: rac_status { RAC_PENDING }
  static var dropped: rac_status { RAC_DROPPED }
  static var invalid: rac_status { RAC_EINVAL }
  static var null: rac_status { RAC_ENULL }
  static var stale: rac_status { RAC_ESTALE }
  static var kind: rac_status { RAC_EKIND }
  static var done: rac_status { RAC_EDONE }
  static var noMemory: rac_status { RAC_ENOMEM }
  static var utf8: rac_status { RAC_EUTF8 }
  static var deadlock: rac_status { RAC_EDEADLK }
  static var timedOut: rac_status { RAC_ETIMEDOUT }
  static var fork: rac_status { RAC_EFORK }
  static var range: rac_status { RAC_ERANGE }
  static var busy: rac_status { RAC_EBUSY }
  static var empty: rac_status { RAC_EEMPTY }
  static var stream: rac_status { RAC_ESTREAM }
  static var closed: rac_status { RAC_ECLOSED }
  static var again: rac_status { RAC_EAGAIN }
  static var user: rac_status { RAC_EUSER }

  /// Linux gives no larger one, and no status is one with its sign turned.
  static let largestErrno: rac_status = 4095

  /// nil: it is none of the library's.
  static func name(_ status: rac_status) -> StaticString? {
    switch status {
    case ok: return "RAC_OK"
    case queued: return "RAC_QUEUED"
    case pending: return "RAC_PENDING"
    case dropped: return "RAC_DROPPED"
    case invalid: return "RAC_EINVAL"
    case null: return "RAC_ENULL"
    case stale: return "RAC_ESTALE"
    case kind: return "RAC_EKIND"
    case done: return "RAC_EDONE"
    case noMemory: return "RAC_ENOMEM"
    case utf8: return "RAC_EUTF8"
    case deadlock: return "RAC_EDEADLK"
    case timedOut: return "RAC_ETIMEDOUT"
    case fork: return "RAC_EFORK"
    case range: return "RAC_ERANGE"
    case busy: return "RAC_EBUSY"
    case empty: return "RAC_EEMPTY"
    case stream: return "RAC_ESTREAM"
    case closed: return "RAC_ECLOSED"
    case again: return "RAC_EAGAIN"
    case user: return "RAC_EUSER"
    default: return nil
    }
  }
}
