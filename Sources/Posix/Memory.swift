import CBinnaclePosix

/// The memory of the process, as its allocator keeps it.
public enum Memory {
  /// The bytes that the allocator holds and the program does not use.
  ///
  /// The corresponding C function is `mallinfo2`.
  public static var unusedBytes: Int { cposix_memory_unused() }

  /// The memory that programs can get without swapping, in bytes (`MemAvailable` of `proc_meminfo(5)`); nil: unknown.
  public static var availableBytes: Int64? {
    guard let bytes = try? Files.read("/proc/meminfo", sizeMax: 16_384) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("MemAvailable:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int64($0) }.map { $0 << 10 }
  }

  /// Gives unused memory back to the system, also that of this thread's stack below the caller.
  ///
  /// The corresponding C functions are `malloc_trim` and `madvise`.
  public static func trim() { cposix_memory_trim() }

  /// Makes all threads share one arena of the allocator; call this before the first thread starts.
  ///
  /// An arena of its own saves a busy thread from waiting, and costs memory for each thread.
  ///
  /// The corresponding C function is `mallopt` with `M_ARENA_MAX`.
  public static func shareArena() { cposix_memory_share_arena() }
}
