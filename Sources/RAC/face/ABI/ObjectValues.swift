import CRACShims

/// A pointer of yours. The library never dereferences it.
///
/// - Parameter pointer: anything, NULL included; transferred where there is a destroy.
/// - Parameter type: a static name that rac_value_get_pointer() can check, or NULL. Types with the
///   same text are the same type.
/// - Parameter destroy: called with the pointer after its last use, on any thread, also when this
///   call fails. NULL: the pointer stays yours.
/// - Returns: an owned value, which needs no release where destroy is NULL; nil with RAC_ENOMEM
///   when there is no memory for it, or the name is new and does not fit in. Since: 0.1
@c public func rac_value_pointer(
  _ pointer: CContext?, _ type: CString?, _ destroy: rac_destroy_fn?
) -> rac_value {
  if let number = PointerTypes.shared.number(type) {
    guard let destroy else {
      return Value(
        Value.Kind.pointer, flags: 0, length: number, pointer: UnsafeRawPointer(pointer))
    }
    if let value = Value.ownedPointer(pointer, type: number, destroy) { return value }
  }
  Border.destroy(pointer, destroy)
  return Border.null(Status.noMemory, "not enough memory for the value")
}

/// Registers a class of objects and gives its number, which the values of its objects carry. The
/// same class gets the same number each time. Any thread.
///
/// - Parameter type: borrowed, for ever: it must stay as it is as long as the process runs. Its
///   functions are called on any thread, with no lock held.
/// - Returns: the number, from 1; 0 with RAC_ENULL, RAC_EINVAL (wrong size) or RAC_ERANGE: there
///   are 65,535 classes already. Since: 0.1
@c public func rac_object_class_register(_ type: UnsafePointer<rac_object_class>?) -> UInt32 {
  guard let type else {
    Failure.record(Status.null, "the class is NULL")
    return 0
  }
  guard type.pointee.size >= MemoryLayout<rac_object_class>.size else {
    Failure.record(Status.invalid, "the class has a wrong size")
    return 0
  }
  let number = rac_shim_register_class(type)
  if number == 0 { Failure.record(Status.range, "there are too many classes") }
  return number
}

/// A view of an object of yours, which the library keeps and compares through its class.
///
/// This call retains nothing. The first call that keeps the value, such as rac_value_retain(),
/// retains the object, once for all later ones.
///
/// - Parameter object: borrowed: it must stay as long as the view is used.
/// - Parameter number: of its class: rac_object_class_register().
/// - Returns: a view; nil with RAC_ENULL, or with RAC_EKIND when no class has the number. Since:
///   0.1
@c public func rac_value_object(_ object: CContext?, _ number: UInt32) -> rac_value {
  checkedObject(object, number) { .lentObject($0, number) }
}

/// A reference to an object of yours, as a value: for what a callback writes to `*out`.
///
/// - Parameter object: transferred: one reference, which the class gives back when the value is
///   released; left alone when this call fails.
/// - Parameter number: of its class: rac_object_class_register().
/// - Returns: an owned value; nil with RAC_ENULL, or with RAC_EKIND when no class has the number.
///   Since: 0.1
@c public func rac_value_object_owned(_ object: CContext?, _ number: UInt32) -> rac_value {
  checkedObject(object, number) { .bareObject($0, number) }
}

private func checkedObject(
  _ object: CContext?, _ number: UInt32, _ function: StaticString = #function,
  _ make: (UnsafeMutableRawPointer) -> Value
) -> rac_value {
  guard let object else { return Border.null(Status.null, "the object is NULL", in: function) }
  guard Value.objectClass(number) != nil else {
    return Border.null(Status.kind, "the class was never registered", in: function)
  }
  return make(object)
}
