/// Reports every handle that a program holds, by kind and name, where rac_live_objects() only
/// counts.
///
/// A reported handle that should be gone is still held: by a variable, or by a context whose
/// destroy would release it, and does not run because the handle keeps the context. See
/// docs/Properties.md.
///
/// Sources that a full place holds are reported, too: of kind "held source", with a text such as
/// "rac_signal_lines is held by flatten: where 64 wait".
///
/// - Parameter context: passed to the callback.
/// - Parameter report: called before this returns, once for each handle, in no order; gets the
///   kind, such as "property", the name given with rac_signal_set_name() or recorded, "" for none,
///   how many references there are, and, of subjects and properties, how many subscribers; of a
///   held source, how many wait; of a counter its value, 0 where that is negative. Both strings are
///   lent. May be NULL.
/// - Returns: how many it reports; 0 where RAC_EFORK is answered. Exact when no other thread
///   is inside the library. Since: 0.1
@discardableResult
@c public func rac_report_live_handles(_ context: CContext?, _ report: rac_live_fn?) -> CSize {
  if Process.isForkedChild { return 0 }
  let count = Handles.forEachLive { kind, name, references, subscribers in
    SignalName.withText(name) {
      guard let report else { return }
      let name = $0
      currentThread().away {
        report(context, staticText(kind), name, Int(truncatingIfNeeded: references), subscribers)
      }
    }
  }
  let held = RestingJobs.shared.forEach { text, waiting in
    if let report { currentThread().away { report(context, "held source", text, 1, waiting) } }
  }
  return count &+ held
}
