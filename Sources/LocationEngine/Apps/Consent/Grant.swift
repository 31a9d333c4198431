public import BinnacleBasics
public import BinnacleModel

/// The answer of a person to an app's request, and the value of its record.
///
/// `u8` version, 2; `u8` authorization (``Authorization``: 2, 3 or 4); `u8` source; `u8` flags: bit 0, the request for
/// `always` is answered; bit 1, reduced accuracy; `i64` seconds since 1970 in UTC, 0 if the time was unknown; `u64` device and `u64` number of the
/// program's file and `i64` time of its last change in nanoseconds since 1970, all 0 for an app with a manifest. Version 1 has no time of
/// change, so its grant of an app without a manifest fits no program file (``fitsNoFile``): the app asks again. Additions by later programs get a
/// higher version.
public struct Grant: Equatable, Codable, Sendable {
  /// The component through which the person answered.
  public enum Source: UInt8, CaseIterable, Codable, Sendable {
    case button = 1
    case console = 2
    case command = 3
    case profile = 4
    /// The last answer is lost by damage, so the app is denied.
    case damage = 5

    /// The name in JSON.
    var name: String { "\(self)" }
  }

  /// `denied`, `whenInUse` or `always`.
  public var authorization: Authorization
  var source: Source
  /// Whether a person has answered the request for `always`; the request is made once.
  var isAlwaysAnswered: Bool
  /// Whether the app gets the cell of a grid in place of its position.
  var isReduced: Bool
  /// The time of the answer; nil if the time was unknown.
  var time: UTCTime?
  /// The program that may use the grant; nil for an app with a manifest.
  var file: ProgramFile?

  static let version: UInt8 = 2
  /// The time of change of a program file in a grant of version 1.
  ///
  /// 0 would be the time of files in an image without times.
  static let unknownChangeTime = Int64.min

  /// Whether the grant names a program file without its time of change, so that no program may use the grant.
  var fitsNoFile: Bool { file?.changeTimeNanoseconds == Grant.unknownChangeTime }

  /// - Parameters:
  ///   - authorization: `denied`, `whenInUse` or `always`.
  ///   - source: the component through which the person answered.
  ///   - isAlwaysAnswered: whether the request for `always` is answered.
  ///   - isReduced: whether the app gets the cell of a grid in place of its position.
  ///   - time: the time of the answer; nil if the time was unknown.
  ///   - file: the program that may use the grant; nil for an app with a manifest.
  public init(
    _ authorization: Authorization, by source: Source, isAlwaysAnswered: Bool = false,
    isReduced: Bool = false,
    at time: UTCTime? = nil, file: ProgramFile? = nil
  ) {
    self.authorization = authorization
    self.source = source
    self.isAlwaysAnswered = isAlwaysAnswered
    self.isReduced = isReduced
    self.time = time.map { UTCTime(secondsSince1970: $0.secondsSince1970) }
    self.file = file
  }

  /// - Returns: nil if the bytes are not a grant of this version.
  public init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let version = reader.u8(), (1...Grant.version).contains(version),
      let authorization = reader.u8().flatMap(Authorization.init(rawValue:)),
      authorization != .notDetermined, authorization != .restricted,
      let source = reader.u8().flatMap(Source.init(rawValue:)),
      let flags = reader.u8(), flags <= 3, let seconds = reader.i64(),
      let device = reader.u64(), let number = reader.u64(),
      let changeTime = version == 1 ? Grant.unknownChangeTime : reader.i64(),
      reader.remaining == 0
    else { return nil }
    self.init(
      authorization, by: source, isAlwaysAnswered: flags & 1 != 0, isReduced: flags & 2 != 0,
      at: seconds == 0 ? nil : UTCTime(secondsSince1970: seconds),
      file: device == 0 && number == 0
        ? nil
        : ProgramFile(device: device, number: number, changeTimeNanoseconds: changeTime))
  }

  /// The value of the record.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.u8(Grant.version)
    writer.u8(authorization.rawValue)
    writer.u8(source.rawValue)
    writer.u8((isAlwaysAnswered ? 1 : 0) | (isReduced ? 2 : 0))
    writer.i64(time?.secondsSince1970 ?? 0)
    writer.u64(file?.device ?? 0)
    writer.u64(file?.number ?? 0)
    writer.i64(file?.changeTimeNanoseconds ?? 0)
    return writer.bytes
  }

  /// Whether an earlier answer gave the same right to the same program.
  func isSameAnswer(as before: Grant) -> Bool {
    authorization == before.authorization && isReduced == before.isReduced
      && isAlwaysAnswered == before.isAlwaysAnswered
      && file == before.file && before.source != .damage
  }

  /// Whether the answer gives the same program less than an earlier answer, and nothing more.
  func isLess(than before: Grant) -> Bool {
    guard before.authorization != .denied, file == before.file else { return false }
    let isAlways = authorization == .always
    let wasAlways = before.authorization == .always
    let givesMore = isAlways && !wasAlways || !isReduced && before.isReduced
    return !givesMore && (isAlways != wasAlways || isReduced != before.isReduced)
  }

  /// The text for `binnacle state`.
  var text: String {
    "\(authorization.name)\(isReduced ? ", reduced accuracy," : "") by \(source.name)"
  }
}
