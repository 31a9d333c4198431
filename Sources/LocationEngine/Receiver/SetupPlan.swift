import UBX

/// The orders for a receiver and their sequence: the port is first, so that the line is free for the rest.
struct SetupPlan: Equatable, Codable, Sendable {
  var identity: ReceiverIdentity
  let port: Port
  /// The messages that carry the position.
  var carrier: PositionMessage

  /// The receiver's port that is connected to this board.
  enum Port: Equatable, Codable, Sendable {
    case i2c(address: UInt8)
    case uart
    case usb

    init(_ link: ReceiverLink) {
      switch link.kind {
      case .uart, .pseudoTerminal: self = .uart
      case .usb: self = .usb
      case .i2c, .virtualI2C: self = .i2c(address: link.address)
      }
    }

    /// The port's number in CFG-PRT.
    var number: UInt8 {
      switch self {
      case .i2c: 0
      case .uart: 1
      case .usb: 3
      }
    }
  }

  /// The intervals in seconds of messages beside the solutions.
  private static let statusSeconds = 1
  private static let securitySeconds = 5
  private static let satellitesSeconds = 10
  /// NAV-PVT and NAV-EOE with headers and checksums.
  private static let solutionBytes = 112
  /// The same values in parts: NAV-SOL, NAV-POSLLH, NAV-VELNED, NAV-TIMEUTC.
  private static let partsBytes = 60 + 36 + 44 + 28
  /// The sentences of the default configuration, with ten satellites in view, and GST.
  private static let sentencesBytes = 600
  /// Bytes each second of NAV-STATUS, of a tenth of a NAV-SAT of 32 satellites, and of answers.
  private static let besideBytes = 90

  init(_ identity: ReceiverIdentity, port: Port) {
    self.identity = identity
    self.port = port
    carrier = SetupPlan.firstCarrier(of: identity)
  }

  // MARK: The position message

  /// The first position message to order; NAV-PVT exists since generation 7.
  var firstCarrier: PositionMessage { SetupPlan.firstCarrier(of: identity) }

  /// The position message to try if the receiver lacks or does not send the present one; nil: none is left.
  var nextCarrier: PositionMessage? { PositionMessage(rawValue: carrier.rawValue + 1) }

  private static func firstCarrier(of identity: ReceiverIdentity) -> PositionMessage {
    identity.generation == .six ? .parts : .solution
  }

  /// The orders for the position message; without at least one of them no position comes.
  var essentialSteps: [SetupStep] {
    if carrier == .sentences {
      return identity.usesKeys
        ? [.values([ConfigurationItem(outputKeys.nmea, true)])]
        : [oldPortStep(speed: 0, hasSentences: true)]
    }
    if identity.usesKeys {
      let key: ConfigurationKey =
        carrier == .solution ? .messageNavPVT : .messageNavPOSLLH
      return [.values([ConfigurationItem(key.on(keyPort), 1)])]
    }
    return carrier == .solution
      ? [navigation(NavPVT.messageID, 1)]
      : [navigation(NavSOL.messageID, 1), navigation(NavPOSLLH.messageID, 1)]
  }

  /// Whether a step switches on a message that carries the position.
  func carriesPosition(_ step: SetupStep) -> Bool {
    essentialSteps.contains { essential in
      switch (essential, step) {
      case (.values(let needed), .values(let items)): items.contains { needed.contains($0) }
      case (.port(_, let needed), .port(_, let said)): needed == said
      case _: essential == step
      }
    }
  }

  /// The orders after a change of the position message.
  func carrierSteps(rateHz: Int, speed: Int) -> [SetupStep] {
    (carrier == .sentences ? portSteps(speed: speed) : []) + messageSteps(rateHz: rateHz)
  }

  // MARK: The port

  private var keyPort: ConfigurationKey.Port {
    switch port {
    case .i2c: .i2c
    case .uart: .uart1
    case .usb: .usb
    }
  }

  private var outputKeys: (ubx: ConfigurationKey, nmea: ConfigurationKey) {
    switch port {
    case .i2c: (.i2cOutputUBX, .i2cOutputNMEA)
    case .uart: (.uart1OutputUBX, .uart1OutputNMEA)
    case .usb: (.usbOutputUBX, .usbOutputNMEA)
    }
  }

  private var inputKey: ConfigurationKey {
    switch port {
    case .i2c: .i2cInputUBX
    case .uart: .uart1InputUBX
    case .usb: .usbInputUBX
    }
  }

  /// Switches UBX on in both directions, and sentences on only if they carry the position.
  ///
  /// The older message CFG-PRT also contains the speed.
  func portSteps(speed: Int) -> [SetupStep] {
    let hasSentences = carrier == .sentences
    guard identity.usesKeys else {
      return [oldPortStep(speed: speed, hasSentences: hasSentences)]
    }
    return [
      .values([
        ConfigurationItem(inputKey, true), ConfigurationItem(outputKeys.ubx, true),
        ConfigurationItem(outputKeys.nmea, hasSentences),
      ])
    ]
  }

  /// Whether the receiver sends sentences after a step; nil if the step does not concern sentences.
  func sentences(after step: SetupStep) -> Bool? {
    switch step {
    case .port(_, let hasSentences): hasSentences
    case .values(let items): items.first { $0.key == outputKeys.nmea }.map { $0.value != 0 }
    case .messageRate, .navigationPeriod, .model, .save: nil
    }
  }

  /// The order that moves the receiver to another speed.
  func speedStep(to speed: Int) -> SetupStep {
    identity.usesKeys
      ? .values([ConfigurationItem(.uart1Baudrate, UInt64(clamping: speed))])
      : oldPortStep(speed: speed, hasSentences: carrier == .sentences)
  }

  private func oldPortStep(speed: Int, hasSentences: Bool) -> SetupStep {
    switch port {
    case .i2c(let address): .port(.i2c(address: address), hasSentences: hasSentences)
    case .uart: .port(.uart(speed: speed), hasSentences: hasSentences)
    case .usb: .port(.usb, hasSentences: hasSentences)
    }
  }

  // MARK: Messages, rate, model

  /// The orders for the intervals of messages; intervals are counted in epochs, so they depend on the rate.
  func messageSteps(rateHz: Int) -> [SetupStep] {
    guard identity.usesKeys else { return oldMessageSteps(rateHz: rateHz) }
    return [
      values(
        carrierKeys(rateHz: rateHz) + [
          (.messageNavSAT, every(SetupPlan.satellitesSeconds, rateHz))
        ]),
      values([(.messageSecSIG, every(SetupPlan.securitySeconds, rateHz))]),
    ]
  }

  private func carrierKeys(rateHz: Int) -> [(ConfigurationKey, UInt64)] {
    switch carrier {
    case .solution:
      [
        (.messageNavPVT, 1), (.messageNavEOE, 1),
        (.messageNavSTATUS, every(SetupPlan.statusSeconds, rateHz)),
      ]
    case .parts:
      // M9 and later have no NAV-SOL; the validity of the fix is in NAV-STATUS instead.
      [
        (.messageNavPOSLLH, 1), (.messageNavVELNED, 1), (.messageNavTIMEUTC, 1),
        (.messageNavSTATUS, 1), (.messageNavEOE, 1),
      ]
    case .sentences:
      [
        (.messageNMEARMC, 1), (.messageNMEAGGA, 1), (.messageNMEAGSA, 1), (.messageNMEAGST, 1),
        (.messageNavSTATUS, every(SetupPlan.statusSeconds, rateHz)),
      ]
    }
  }

  private func values(_ items: [(ConfigurationKey, UInt64)]) -> SetupStep {
    .values(items.map { ConfigurationItem($0.0.on(keyPort), $0.1) })
  }

  private func oldMessageSteps(rateHz: Int) -> [SetupStep] {
    var steps: [SetupStep] = []
    switch carrier {
    case .solution: steps.append(navigation(NavPVT.messageID, 1))
    case .parts:
      for id in [NavSOL.messageID, NavPOSLLH.messageID, NavVELNED.messageID, NavTIMEUTC.messageID] {
        steps.append(navigation(id, 1))
      }
    case .sentences:
      // GGA, RMC, GSA, GST (M8 receiver description, "NMEA messages overview").
      for id: UInt8 in [0x00, 0x04, 0x02, 0x07] {
        steps.append(
          .messageRate(messageClass: 0xF0, id: id, rate: 1, portID: port.number))
      }
    }
    if identity.generation.rawValue >= ReceiverIdentity.Generation.m8.rawValue {
      steps.append(navigation(NavEOE.messageID, 1))
      steps.append(navigation(NavSAT.messageID, every(SetupPlan.satellitesSeconds, rateHz)))
    }
    steps.append(navigation(NavSTATUS.messageID, every(SetupPlan.statusSeconds, rateHz)))
    return steps
  }

  private func navigation(_ id: UInt8, _ rate: UInt64) -> SetupStep {
    .messageRate(
      messageClass: NavPVT.messageClass, id: id, rate: UInt8(clamping: rate), portID: port.number)
  }

  /// The orders for the navigation rate.
  func rateSteps(rateHz: Int) -> [SetupStep] {
    let period = UInt16(clamping: 1_000 / max(1, rateHz))
    guard identity.usesKeys else { return [.navigationPeriod(milliseconds: period)] }
    return [
      .values([
        ConfigurationItem(.rateMeasurement, UInt64(period)), ConfigurationItem(.rateNavigation, 1),
      ])
    ]
  }

  func modelSteps(_ model: DynamicModel) -> [SetupStep] {
    guard identity.usesKeys else { return [.model(model)] }
    return [.values([ConfigurationItem(.dynamicModel, UInt64(model.rawValue))])]
  }

  /// Useful settings, each in its own order, since firmware that lacks a setting refuses the whole message.
  var optionalSteps: [SetupStep] {
    guard identity.usesKeys else { return [] }
    // With the longer time-out, a board that does not read for 1.5 s loses only the bytes that exceed the receiver's
    // buffer.
    let timeout = [ConfigurationItem(.i2cExtendedTimeout, true)]
    return (keyPort == .i2c ? [.values(timeout)] : [])
      + [
        .values([ConfigurationItem(.interferenceMonitor, true)]),
        .values([ConfigurationItem(.acknowledgeAiding, true)]),
      ]
  }

  /// The order that keeps the older messages through a standby; values by key are written to both layers at once.
  var saveSteps: [SetupStep] { identity.usesKeys ? [] : [.save] }

  // MARK: Capacity of the line

  /// Bytes each second at a navigation rate.
  func load(rateHz: Int) -> Int {
    let epoch =
      switch carrier {
      case .solution: SetupPlan.solutionBytes
      case .parts: SetupPlan.partsBytes
      case .sentences: SetupPlan.sentencesBytes
      }
    return rateHz * epoch + SetupPlan.besideBytes
  }

  /// Whether the messages at this rate take more than half of the line, so that positions would come late.
  func needsFasterLine(rateHz: Int, speed: Int) -> Bool {
    port == .uart && load(rateHz: rateHz) * 2 > speed / 10
  }

  /// The fastest rate that a line at this speed carries.
  func rateMaxHz(speed: Int) -> Int {
    guard port == .uart else { return .max }
    var rate = 1
    while rate < 100, load(rateHz: rate + 1) * 10 <= speed / 10 * 9 { rate += 1 }
    return rate
  }

  private func every(_ seconds: Int, _ rateHz: Int) -> UInt64 {
    UInt64(min(255, max(1, seconds * rateHz)))
  }
}
