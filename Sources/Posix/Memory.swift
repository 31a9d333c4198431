import CBinnaclePosix

/// The memory of the process, as its allocator keeps it.
public enum Memory {
  /// The bytes that the allocator holds and the program does not use.
  ///
  /// The corresponding C function is `mallinfo2`.
  public static var unusedBytes: Int { cposix_memory_unused() }

  /// Gives unused memory back to the system.
  ///
  /// The corresponding C function is `malloc_trim`.
  public static func trim() { cposix_memory_trim() }
}
