/// A compression format, identified by the first bytes of a file.
enum Compression: CaseIterable {
  case gzip
  case bzip2
  case xz
  case zstd
  case lz4
  case zip
  case sevenZip

  /// The number of bytes that identify any of the formats.
  static let magicLengthMax = 6

  init?(head: [UInt8]) {
    guard let found = Compression.allCases.first(where: { head.starts(with: $0.magic) }) else {
      return nil
    }
    self = found
  }

  private var magic: [UInt8] {
    switch self {
    case .gzip: [0x1F, 0x8B]  // RFC 1952, section 2.3.1
    case .bzip2: Array("BZh".utf8)
    case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
    case .zstd: [0x28, 0xB5, 0x2F, 0xFD]  // RFC 8878, section 3.1.1
    case .lz4: [0x04, 0x22, 0x4D, 0x18]
    case .zip: [0x50, 0x4B, 0x03, 0x04]
    case .sevenZip: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
    }
  }

  /// The command that writes the content of a file to standard output.
  var command: String {
    switch self {
    case .gzip: "gzip -dc"
    case .bzip2: "bzip2 -dc"
    case .xz: "xz -dc"
    case .zstd: "zstd -dc"
    case .lz4: "lz4 -dc"
    case .zip: "unzip -p"
    case .sevenZip: "7z e -so"
    }
  }
}
