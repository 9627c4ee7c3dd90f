#if hasFeature(Embedded)
  /// An object by which `objects.c` sees, in a build with tests, whether objects lie in memory as
  /// it says: a newer compiler is then refused with a sentence when the library is loaded.
  private final class LayoutProbe {
    private let ended: UnsafeMutablePointer<Bool>

    init(_ ended: UnsafeMutablePointer<Bool>) { self.ended = ended }

    deinit { ended.pointee = true }
  }

  @c(rac_engine_make_probe)
  func makeLayoutProbe(_ ended: UnsafeMutablePointer<Bool>) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(LayoutProbe(ended)).toOpaque()
  }
#endif
