/// The status constants of the C header, with the type that functions return.
enum Status {
  static var ok: rac_status { 0 }
  static var queued: rac_status { 1 }
  static var pending: rac_status { 2 }
  static var invalid: rac_status { -1 }
  static var null: rac_status { -2 }
  static var stale: rac_status { -3 }
  static var kind: rac_status { -4 }
  static var done: rac_status { -5 }
  static var noMemory: rac_status { -6 }
  static var utf8: rac_status { -7 }
  static var deadlock: rac_status { -8 }
  static var timedOut: rac_status { -9 }
  static var fork: rac_status { -10 }
  static var range: rac_status { -11 }
  static var busy: rac_status { -12 }
  static var empty: rac_status { -13 }
  static var stream: rac_status { -14 }
  static var user: rac_status { -100 }

  static func name(_ status: rac_status) -> StaticString {
    switch status {
    case ok: return "RAC_OK"
    case queued: return "RAC_QUEUED"
    case pending: return "RAC_PENDING"
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
    case user: return "RAC_EUSER"
    default: return "unknown status"
    }
  }
}
