import BinnaclePosix
import Glibc

/// The first bytes of a program's file: what the kernel would run.
///
/// The corresponding man pages are execve(2) and elf(5).
enum ProgramHead: Equatable {
  /// A script, and the interpreter that its first line names.
  case script(interpreter: String)
  case binary(Binary)
  /// No byte is known.
  case empty
  case other

  /// A program in the ELF format.
  struct Binary: Equatable {
    var architecture: Architecture
    /// The loader of a dynamically linked program; nil: none, or its name is beyond the known bytes.
    var loader: String?
  }

  /// The processor that a program is for.
  struct Architecture: Equatable, CustomStringConvertible {
    /// `e_machine`.
    var machine: UInt16
    var isFor64Bits: Bool

    var description: String {
      let name =
        switch machine {
        case 3: "x86"
        case 40: "ARM"
        case 62: "x86-64"
        case 183: "ARM64"
        case 243: "RISC-V"
        case _: "processor type \(machine)"
        }
      return name + (isFor64Bits ? " (64 bits)" : " (32 bits)")
    }

    /// The architecture of this program itself, which the system runs.
    static let own: Architecture? = {
      var head = [UInt8](repeating: 0, count: 64)
      do throws(Errno) {
        let file = try FileDescriptor.open("/proc/self/exe", O_RDONLY)
        guard try file.read(into: &head) == head.count else { return nil }
      } catch {
        return nil
      }
      if case .binary(let binary) = ProgramHead(head) { return binary.architecture }
      return nil
    }()
  }

  init(_ head: [UInt8]) {
    if head.isEmpty {
      self = .empty
    } else if head.starts(with: "#!".utf8) {
      let line = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
      let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      self = .script(interpreter: String(decoding: words.first ?? [], as: UTF8.self))
    } else if let binary = Binary(head) {
      self = .binary(binary)
    } else {
      self = .other
    }
  }
}

extension ProgramHead.Binary {
  /// - Returns: nil if the bytes are not the head of an ELF file of little-endian order.
  fileprivate init?(_ head: [UInt8]) {
    guard head.count >= 64, head.starts(with: [0x7F] + "ELF".utf8), head[5] == 1,
      head[4] == 1 || head[4] == 2
    else { return nil }
    let is64 = head[4] == 2
    func number(_ offset: Int, _ size: Int) -> Int? {
      guard offset >= 0, offset + size <= head.count else { return nil }
      let value = head[offset..<offset + size].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      // A larger number is beyond the head in any case.
      return value < 65_536 ? Int(value) : nil
    }
    architecture = .init(machine: UInt16(number(18, 2) ?? 0), isFor64Bits: is64)
    // The table of program headers; the entry of type 3 (PT_INTERP) has the place of the loader's name.
    let word = is64 ? 8 : 4
    guard let table = number(is64 ? 32 : 28, word), let size = number(is64 ? 54 : 42, 2),
      let count = number(is64 ? 56 : 44, 2)
    else { return }
    for index in 0..<count {
      let entry = table + index * size
      guard number(entry, 4) == 3, let offset = number(entry + (is64 ? 8 : 4), word),
        let length = number(entry + (is64 ? 32 : 16), word), length > 1,
        offset + length <= head.count
      else { continue }
      loader = String(decoding: head[offset..<offset + length - 1], as: UTF8.self)
    }
  }
}
