import BinnacleBasics
import BinnacleModel

/// The value of the record of consoles: the latest uses, the oldest first.
///
/// `u8` version, 1; then for each use: `u8` cause (``ConsoleUse/Cause``); `u8` flags: bit 0, the use has ended; `i64` beginning
/// and `i64` end, seconds since 1970 in UTC, 0 if unknown; `u16` wrong PINs; `u8` length of the console's name, and the name.
struct ConsoleUsesRecord: Equatable {
  let uses: [ConsoleUse]

  static let version: UInt8 = 1
  static let nameSizeMax = 64

  init(uses: [ConsoleUse]) {
    self.uses = uses
  }

  /// - Returns: nil if the bytes are not a value of this version.
  init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.u8() == ConsoleUsesRecord.version else { return nil }
    var uses: [ConsoleUse] = []
    while reader.remaining > 0 {
      guard let cause = reader.u8().flatMap(ConsoleUse.Cause.init(rawValue:)),
        let flags = reader.u8(), flags <= 1, let from = reader.i64(), let to = reader.i64(),
        let count = reader.u16(), let size = reader.u8(), size <= ConsoleUsesRecord.nameSizeMax,
        let name = reader.take(Int(size)).flatMap({ String(validating: $0, as: UTF8.self) })
      else { return nil }
      var use = ConsoleUse(cause, console: name, from: ConsoleUsesRecord.time(from))
      use.to = ConsoleUsesRecord.time(to)
      use.wrongCount = Int(count)
      use.hasEnded = flags == 1
      uses.append(use)
    }
    guard uses.count <= ConsoleUses.countMax else { return nil }
    self.uses = uses
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.u8(ConsoleUsesRecord.version)
    for use in uses {
      writer.u8(use.cause.rawValue)
      writer.u8(use.hasEnded ? 1 : 0)
      writer.i64(use.from?.secondsSince1970 ?? 0)
      writer.i64(use.to?.secondsSince1970 ?? 0)
      writer.u16(UInt16(clamping: use.wrongCount))
      let name = ConsoleUsesRecord.clipped(use.console)
      writer.u8(UInt8(name.count))
      writer.put(name)
    }
    return writer.bytes
  }

  /// The text for `binnacle state`.
  var text: String {
    let unlocks = uses.count { $0.cause != .wrongPIN }
    let wrong = uses.reduce(0) { $0 + $1.wrongCount }
    return CountText.words(unlocks, "time") + " unlocked, " + CountText.words(wrong, "wrong PIN")
  }

  private static func time(_ seconds: Int64) -> UTCTime? {
    seconds == 0 ? nil : UTCTime(secondsSince1970: seconds)
  }

  /// The bytes of a name, at most ``nameSizeMax``, without a part of a character at the end.
  private static func clipped(_ name: String) -> [UInt8] {
    var name = name
    while name.utf8.count > nameSizeMax { name.removeLast() }
    return Array(name.utf8)
  }
}
