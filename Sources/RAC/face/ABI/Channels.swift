/// A channel.
///
/// New subscribers of the leading terminal hear later values only; those of the following one first
/// hear the latest value sent to the leading one. An error or completion sent to either terminal is
/// heard at both, also by later subscribers; the first one counts.
///
/// - Returns: one reference. RAC: RACChannel. Since: 0.1
@c public func rac_channel_create() -> CChannel? {
  Border.give(.channel) { Channel() }
}

/// The leading terminal, for the side that has the value.
///
/// - Parameter channel: borrowed.
/// - Returns: lent: valid as long as the channel's handle, longer if it is retained; NULL with
///   RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -leadingTerminal. Since: 0.1
@c public func rac_channel_get_leading(_ channel: CChannel?) -> CSubject? {
  Border.use(channel, .channel, as: Channel.self) { $0.leading }
}

/// The following terminal, for the side that shows the value.
///
/// - Parameter channel: borrowed.
/// - Returns: lent: valid as long as the channel's handle, longer if it is retained; NULL with
///   RAC_ENULL, RAC_ESTALE or RAC_EKIND. RAC: -followingTerminal. Since: 0.1
@c public func rac_channel_get_following(_ channel: CChannel?) -> CSubject? {
  Border.use(channel, .channel, as: Channel.self) { $0.following }
}

/// The following terminal of a property, which is itself the leading side.
///
/// Sends the current value to each new subscriber and then every change, except those that were
/// sent to this terminal: a change never comes back to its sender. A value that is sent to it is
/// set. The terminal completes with the property. An end that is sent to it ends the terminal, not
/// the property; a send after that answers RAC_EDONE.
///
/// - Parameter property: borrowed, not kept.
/// - Parameter nil_value: borrowed; set in place of nil. nil for nil itself.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND (also for a read-only
///   property), RAC_EUTF8 or RAC_ENOMEM. RAC: RACChannelTo(), RACKVOChannel. Since: 0.1
@c public func rac_property_terminal(_ property: CProperty?, _ nil_value: rac_value) -> CSubject? {
  guard let nilValue = Border.kept(nil_value) else { return nil }
  defer { nilValue.release() }
  return withWritable(property) { property in
    Border.give(.terminal) { property.terminal(nilValue: nilValue) }
  }
}

/// Keeps two properties equal, whichever is set and on whichever threads. First the left one takes
/// the value of the right one.
///
/// When both are set at the same time the later set wins, on both sides, by one order for all.
/// Properties may be bound in chains and rings: all come to the same value.
///
/// - Parameter left: borrowed, not kept.
/// - Parameter right: borrowed, not kept.
/// - Returns: one reference to the disposable that ends the binding, which also ends with either
///   property; NULL with RAC_ENULL, RAC_ESTALE, RAC_EKIND (also for a read-only property), or
///   RAC_EINVAL for a property and itself. RAC: RACChannelTo(left) = RACChannelTo(right). Since:
///   0.1
@c public func rac_property_bind_two_way(_ left: CProperty?, _ right: CProperty?) -> CDisposable? {
  bindTwoWay(left, right, nil)
}

/// rac_property_bind_two_way() between properties of different kinds: a text and a number, say.
///
/// - Parameter left: borrowed, not kept.
/// - Parameter right: borrowed, not kept.
/// - Parameter context: passed to the callbacks.
/// - Parameter to_left: makes the left property's value of the right one's. With a failing status
///   the change is not passed on; the binding stays.
/// - Parameter to_right: the other way round.
/// - Parameter destroy: runs when the binding has ended and its disposable was released; may be
///   NULL.
/// - Returns: as rac_property_bind_two_way(). RAC: a map: between two channel terminals. Since: 0.1
@c public func rac_property_bind_two_way_map(
  _ left: CProperty?, _ right: CProperty?, _ context: CContext?, _ to_left: rac_map_fn?,
  _ to_right: rac_map_fn?, _ destroy: rac_destroy_fn?
) -> CDisposable? {
  guard let context = Border.context(context, destroy) else { return nil }
  guard let to_left, let to_right else { return Border.fail(Status.null, "a callback is NULL") }
  let conversion = Conversion(context: context, toLeft: to_left, toRight: to_right)
  return bindTwoWay(left, right, conversion)
}

private func bindTwoWay(
  _ left: CProperty?, _ right: CProperty?, _ conversion: Conversion?,
  _ function: StaticString = #function
) -> CDisposable? {
  withWritable(left, function) { left in
    withWritable(right, function) { right in
      if left === right {
        return Border.fail(Status.invalid, "a property cannot be bound to itself", in: function)
      }
      return Border.give(.plainDisposable, function) { left.bindTwoWay(right, conversion) }
    }
  }
}
