import UBX

/// What a receiver is told, in which order: the port first, so that the line is free for the rest.
struct SetupPlan: Equatable, Codable, Sendable {
  let identity: ReceiverIdentity
  let isUSB: Bool

  /// What comes beside the solutions: how often, in seconds.
  private static let statusSeconds = 1
  private static let securitySeconds = 5
  private static let satellitesSeconds = 10
  /// NAV-PVT and NAV-EOE with headers and checksums.
  private static let epochBytes = 112
  /// The same from a receiver of generation 6: SOL, POSLLH, VELNED, TIMEUTC.
  private static let oldEpochBytes = 60 + 36 + 44 + 28
  /// NAV-STATUS, a tenth of a NAV-SAT of 32 satellites, answers: bytes each second.
  private static let besideBytes = 90

  private var port: ConfigurationKey.Port { isUSB ? .usb : .uart1 }
  private var portID: UInt8 { isUSB ? 3 : 1 }

  /// UBX in and out, no NMEA.
  var portSteps: [SetupStep] {
    guard identity.usesKeys else { return [] }
    return [
      .values(
        isUSB
          ? [
            ConfigurationItem(SetupPlan.usbInputUBX, true),
            ConfigurationItem(SetupPlan.usbOutputUBX, true),
            ConfigurationItem(SetupPlan.usbOutputNMEA, false),
          ]
          : [
            ConfigurationItem(.uart1InputUBX, true), ConfigurationItem(.uart1OutputUBX, true),
            ConfigurationItem(.uart1OutputNMEA, false),
          ])
    ]
  }

  /// The port by the older message, which says the speed too.
  func oldPortSteps(speed: Int) -> [SetupStep] {
    identity.usesKeys ? [] : [.port(id: portID, speed: speed)]
  }

  /// The order that moves the receiver to another speed.
  func speedStep(to speed: Int) -> SetupStep {
    identity.usesKeys
      ? .values([ConfigurationItem(.uart1Baudrate, UInt64(clamping: speed))])
      : .port(id: portID, speed: speed)
  }

  /// Which messages come, and how often; they are counted in epochs, so they follow the rate.
  func messageSteps(rateHz: Int) -> [SetupStep] {
    guard identity.usesKeys else { return oldMessageSteps(rateHz: rateHz) }
    let messages: [SetupStep] = [
      .values([
        ConfigurationItem(ConfigurationKey.messageNavPVT.on(port), 1),
        ConfigurationItem(ConfigurationKey.messageNavEOE.on(port), 1),
        ConfigurationItem(
          ConfigurationKey.messageNavSTATUS.on(port), every(SetupPlan.statusSeconds, rateHz)),
        ConfigurationItem(
          ConfigurationKey.messageNavSAT.on(port), every(SetupPlan.satellitesSeconds, rateHz)),
      ])
    ]
    return messages + [
      .values([
        ConfigurationItem(
          ConfigurationKey.messageSecSIG.on(port), every(SetupPlan.securitySeconds, rateHz))
      ])
    ]
  }

  /// How often a position is computed.
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

  /// What is good to have; each alone, since firmware that lacks it refuses the whole message.
  var optionalSteps: [SetupStep] {
    identity.usesKeys ? [.values([ConfigurationItem(.interferenceMonitor, true)])] : []
  }

  /// What makes the older messages last through a standby; values by key are written to both layers at once.
  var saveSteps: [SetupStep] { identity.usesKeys ? [] : [.save] }

  /// Bytes each second at a rate.
  func load(rateHz: Int) -> Int {
    let epoch = identity.generation == .six ? SetupPlan.oldEpochBytes : SetupPlan.epochBytes
    return rateHz * epoch + SetupPlan.besideBytes
  }

  /// Whether a line at this speed is so busy at this rate that positions would come late.
  func needsFasterLine(rateHz: Int, speed: Int) -> Bool {
    !isUSB && load(rateHz: rateHz) * 2 > speed / 10
  }

  /// The fastest rate that a line at this speed carries.
  func rateMaxHz(speed: Int) -> Int {
    guard !isUSB else { return .max }
    var rate = 1
    while rate < 100, load(rateHz: rate + 1) * 10 <= speed / 10 * 9 { rate += 1 }
    return rate
  }

  private func oldMessageSteps(rateHz: Int) -> [SetupStep] {
    var steps: [SetupStep] = []
    func add(_ id: UInt8, _ rate: UInt64) {
      steps.append(
        .messageRate(messageClass: 0x01, id: id, rate: UInt8(clamping: rate), portID: portID))
    }
    switch identity.generation {
    case .six:
      add(NavSOL.messageID, 1)
      add(NavPOSLLH.messageID, 1)
      add(NavVELNED.messageID, 1)
      add(NavTIMEUTC.messageID, 1)
    case .seven:
      add(NavPVT.messageID, 1)
    case .m8, .m9, .m10, .later:
      add(NavPVT.messageID, 1)
      add(NavEOE.messageID, 1)
      add(NavSAT.messageID, every(SetupPlan.satellitesSeconds, rateHz))
    }
    add(NavSTATUS.messageID, every(SetupPlan.statusSeconds, rateHz))
    return steps
  }

  private func every(_ seconds: Int, _ rateHz: Int) -> UInt64 {
    UInt64(min(255, max(1, seconds * rateHz)))
  }

  // The groups of the ports are 0x71 to 0x7A: I2C, UART1, UART2, USB, SPI, first in, then out.
  private static let usbInputUBX = ConfigurationKey(rawValue: 0x1077_0001)
  private static let usbOutputUBX = ConfigurationKey(rawValue: 0x1078_0001)
  private static let usbOutputNMEA = ConfigurationKey(rawValue: 0x1078_0002)
}
