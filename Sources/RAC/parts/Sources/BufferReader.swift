import CRACShims

/// Reads into memory of its own, which is made when there is something to read.
class BufferReader: DescriptorReader {
  final let size: Int
  private final var memory: UnsafeMutableRawPointer?

  init(_ file: Object?, _ size: Int) {
    self.size = size
    super.init(file)
  }

  deinit { rac_shim_free(memory) }

  /// So many bytes; nil: there is no memory for them.
  final var buffer: UnsafeMutableRawPointer? {
    if memory == nil { memory = rac_shim_allocate_checked(size) }
    return memory
  }
}
