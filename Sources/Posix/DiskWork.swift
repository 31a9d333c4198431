import Glibc

/// The kernel's write counters: of this process, and of the disk under a path.
public struct DiskWork: Equatable, Sendable {
  /// Bytes submitted for writing.
  public var bytes: Int64
  /// Flushes; nil where they are not counted.
  public var flushes: Int64?

  public init(bytes: Int64, flushes: Int64?) {
    self.bytes = bytes
    self.flushes = flushes
  }

  /// Bytes that this process caused to be written, to any disk (proc_pid_io(5), `write_bytes`).
  public static func ofProcess() -> DiskWork? {
    guard let text = try? Files.read("/proc/self/io", sizeMax: 4_096) else { return nil }
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.count == 2, words[0].elementsEqual("write_bytes:".utf8) else { continue }
      return Int64(String(decoding: words[1], as: UTF8.self)).map {
        DiskWork(bytes: $0, flushes: nil)
      }
    }
    return nil
  }

  /// Bytes that all processes wrote to the disk under a file or directory, or to the device at a path.
  ///
  /// - Returns: nil where there is none, as below a file system in memory.
  public static func ofDisk(under path: String) -> DiskWork? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let isDevice = status.st_mode & S_IFMT == S_IFBLK
    let number = isDevice ? status.st_rdev : status.st_dev
    // Both numbers in one, as the C library has them (<bits/sysmacros.h>).
    let major = (number >> 8 & 0xFFF) | (number >> 32 & ~0xFFF)
    let minor = (number & 0xFF) | (number >> 12 & ~0xFF)
    let place = "/sys/dev/block/\(major):\(minor)/stat"
    guard let text = try? Files.read(place, sizeMax: 4_096) else { return nil }
    return DiskWork(statistics: String(decoding: text, as: UTF8.self))
  }

  /// From the line of a block device (Documentation/block/stat.rst of the kernel): field 7 counts sectors of 512 bytes that
  /// were written, field 16 flushes, since Linux 5.5 and for whole disks.
  init?(statistics: String) {
    let fields = statistics.split { $0 == " " || $0 == "\n" }.map { Int64($0) }
    guard fields.count >= 7, let sectors = fields[6] else { return nil }
    self.init(bytes: sectors * 512, flushes: fields.count >= 16 ? fields[15] : nil)
  }

  public static func - (left: DiskWork, right: DiskWork) -> DiskWork {
    let flushes = left.flushes.flatMap { now in right.flushes.map { now - $0 } }
    return DiskWork(bytes: left.bytes - right.bytes, flushes: flushes)
  }
}
