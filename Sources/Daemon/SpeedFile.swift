import Posix

/// The speed at which the receiver answered last, kept in `STATE/receiver-speed` as a decimal number and a line feed.
struct SpeedFile {
  let path: String
  /// What the file holds; nil when it holds nothing of use.
  private(set) var speed: Int?

  init(directory: String) {
    path = directory + "/receiver-speed"
    let bytes = (try? Files.read(path, sizeMax: 64)) ?? []
    let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    speed = Int(text).flatMap { (50...10_000_000).contains($0) ? $0 : nil }
  }

  /// Writes the file if it would change.
  mutating func keep(_ speed: Int) throws(SystemError) {
    guard speed != self.speed else { return }
    try Files.writeAtomically(Array("\(speed)\n".utf8), to: path)
    self.speed = speed
  }
}
