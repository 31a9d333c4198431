public import BinnacleModel
import CCrypt

/// The salted hash of a board's PIN, as crypt(5) has it.
///
/// The method is SHA-512 (`$6$`): the daemon's loop waits for it, and yescrypt, the default of Debian's passwords, takes twice
/// the time and 16 MB. Each method gives way to a search through six digits, so the file of the hash is root's alone, and
/// the pauses of the daemon protect the PIN at the console.
public struct PINHash: Equatable, Sendable {
  /// The fewest characters of a PIN.
  public static let pinLengthMin = 6
  /// The most characters of a PIN.
  public static let pinLengthMax = 64
  /// The name of the file below the directory of the configuration, and of the service's credential.
  public static let fileName = "console-pin"
  /// The rounds of a new hash (12 ms on the x86-64 machine of the tests).
  static let rounds = 20_000
  /// The largest number of rounds of a hash that is compared: the daemon's loop waits for it.
  static let roundsMax = 100_000
  private static let method = "$6$"
  private static let hashSizeMax = 384

  /// The line of the file.
  public let text: String

  /// Hashes a PIN with a new salt; nil if the PIN cannot be hashed.
  public init?(of pin: Secret) {
    let letters = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    var random = SystemRandomNumberGenerator()
    let salt = (0..<16).map { _ in letters[Int.random(in: letters.indices, using: &random)] }
    let setting =
      "\(PINHash.method)rounds=\(PINHash.rounds)$" + String(decoding: salt, as: UTF8.self) + "$"
    guard let text = PINHash.crypt(pin, setting) else { return nil }
    self.text = text
  }

  /// The hash in a file's bytes; nil if the bytes are not one line with a hash of this method.
  public init?(file bytes: [UInt8]) {
    var line = bytes[...]
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    guard line.count < PINHash.hashSizeMax, line.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    let text = String(decoding: line, as: UTF8.self)
    let fields = text.split(separator: "$", omittingEmptySubsequences: false)
    // "", "6", rounds, salt, hash
    guard text.hasPrefix(PINHash.method), fields.count == 5, fields[2].hasPrefix("rounds="),
      let rounds = Int(fields[2].dropFirst(7)), (1_000...PINHash.roundsMax).contains(rounds),
      !fields[3].isEmpty, fields[4].utf8.count == 86
    else { return nil }
    self.text = text
  }

  /// Whether a PIN has this hash.
  public func matches(_ pin: Secret) -> Bool {
    guard let other = PINHash.crypt(pin, text) else { return false }
    return Secret(text).matches(Secret(other))
  }

  /// The reason why a text may not be a PIN; nil if it may.
  public static func refusal(of pin: Secret) -> String? {
    guard (pinLengthMin...pinLengthMax).contains(pin.bytes.count) else {
      return "a PIN has \(pinLengthMin) to \(pinLengthMax) characters"
    }
    guard pin.bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return "a PIN has digits, letters and signs of ASCII, without blanks"
    }
    guard Set(pin.bytes).count > 2 else {
      return "a PIN has at least three different characters"
    }
    return nil
  }

  private static func crypt(_ pin: Secret, _ setting: String) -> String? {
    guard !pin.isEmpty, pin.bytes.count <= pinLengthMax, !pin.bytes.contains(0) else { return nil }
    var hash = [CChar](repeating: 0, count: hashSizeMax)
    let phrase = pin.bytes.map { CChar(bitPattern: $0) } + [0]
    guard ccrypt_hash(phrase, setting, &hash, hash.count) == 0 else { return nil }
    return String(decoding: hash.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
