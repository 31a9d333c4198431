import BinnacleBasics

/// A fault of the receiver's stream or line, as `status` and `doctor` report it.
///
/// Either the line carries bytes and no positions arrive, or the line itself is in doubt.
struct ReceiverTrouble: Equatable, Sendable {
  /// The fault, in one clause.
  let text: String
  /// The advice for a person.
  let advice: String

  init(_ trouble: StreamWatch.Trouble) {
    switch trouble {
    case .rejected(.noFix):
      text = "the receiver has no fix: it does not receive enough satellites"
      advice =
        "put the antenna under a free sky and wait a minute; 'binnacle sky' has the signals"
    case .rejected(let cause):
      text = "positions come, and every one is rejected: " + cause.text
      advice = cause.advice
    case .withoutPosition(.rtcm):
      text = "only corrections come (RTCM), which carry no position"
      advice = "connect the receiver's own output, as NMEA (RMC and GGA) or UBX (NAV-PVT)"
    case .withoutPosition(let kinds):
      let names = [(StreamWatch.Kinds.ubx, "UBX"), (.nmea, "NMEA"), (.rtcm, "RTCM")]
        .filter { kinds.contains($0.0) }.map { $0.1 }
      text = "messages come (\(names.joined(separator: ", "))), and none of them carries a position"
      advice = "have the receiver send NMEA (RMC and GGA) or UBX (NAV-PVT)"
    case .clockStandsStill(let time):
      text =
        "sentences come, and all bear the same time, \(time): the receiver's clock stands still"
      advice =
        "take the receiver's power away for a moment; a program that plays sentences must give each its own time"
    case .compressed(let compression):
      text = "a file comes that is compressed (\(compression.rawValue)), and no message is in it"
      advice = "decompress the file before it is played into the line"
    case .trickle(let bytes):
      text =
        "\(CountText.words(bytes, "byte")) came in 10 s and no whole message; a receiver sends a hundred each second or more"
      advice =
        "check the ground wire, that the receiver's TX is wired to the board's RXD, and any bridge between them"
    case .garbled:
      text = "bytes come, and no message is in them"
      advice =
        "check that a GNSS receiver (NMEA or UBX) is on this line, its baud rate, ground wire and cable length, and noise near it"
    case .mostlyDamaged(let percent):
      text = "most of the line is damaged: \(percent) of 100 bytes belong to no whole message"
      advice = "check wires, ground, baud rate and cable length to the receiver, and noise near it"
    }
  }

  /// This many of a hundred messages arrive damaged.
  init(damagedPercent: Int, triesMax: Int) {
    text =
      "\(damagedPercent) of 100 messages arrive damaged; each order is given up to \(triesMax) times"
    advice = "check ground and length of the wires to the receiver, and its supply"
  }

  /// No byte comes on a line of this kind.
  static func silence(of kind: Event.ReceiverPort.Kind) -> ReceiverTrouble {
    let place =
      switch kind {
      case .uart, .pseudoTerminal: "the wire at its TX"
      case .usb: "its plug"
      case .i2c, .virtualI2C: "SDA, SCL and ground"
      }
    return ReceiverTrouble(
      text: "no byte comes from the receiver",
      advice: "check its power and \(place); binnacle doctor")
  }

  /// The receiver acknowledges orders and does not report its settings.
  static let answersNoQuestion = ReceiverTrouble(
    text:
      "the receiver acknowledges orders and answers no poll, so that its configuration is not sure",
    advice: "no action is necessary while positions arrive; a genuine u-blox receiver answers")

  /// The receiver's sentences were switched off on the way to a failed configuration.
  static let sentencesOwed = ReceiverTrouble(
    text:
      "the receiver could not be configured, and its sentences, which were switched off for that, do not come yet",
    advice: "the daemon switches them on again; if none come, take its power away for a moment")

  private init(text: String, advice: String) {
    self.text = text
    self.advice = advice
  }
}

extension Rejection {
  fileprivate var text: String {
    switch self {
    case .noFix: "the receiver has no fix"
    case .validityUnknown: "no message of their time reports whether they are fixes"
    case .notQualified: "the receiver marks them as not good enough"
    case .positionMissing:
      "latitude and longitude are missing or impossible, or those of two sentences are more than 100 m apart"
    case .positionInvalid: "they are at impossible places"
    case .accuracyUnknown: "they come without an accuracy"
    case .timeUnresolved: "the positions have no reliable date and time"
    case .timeBackwards: "their time does not advance"
    case .jump: "they jump farther than the board can move"
    }
  }

  fileprivate var advice: String {
    switch self {
    case .noFix, .notQualified: "put its antenna under a free sky"
    case .validityUnknown:
      "have the receiver send UBX NAV-STATUS, NAV-SOL or NAV-PVT with each position"
    case .positionMissing, .positionInvalid:
      "have the receiver send whole epochs: NMEA RMC and GGA, or UBX NAV-PVT; if two sources share the line, take one away"
    case .accuracyUnknown: "have the receiver send GGA with HDOP, GSA or GST, or UBX NAV-PVT"
    case .timeUnresolved: "have the receiver send RMC or ZDA, or UBX NAV-PVT"
    case .timeBackwards:
      "if a recording is played in a loop, give it a new time; if two sources share the line, take one away"
    case .jump:
      "if two receivers share the line, remove one; otherwise wait until the positions agree"
    }
  }
}
