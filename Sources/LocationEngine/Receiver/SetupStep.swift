import UBX

/// One order of the configuration, the poll that reads its effect back, and the comparison of the answer.
enum SetupStep: Equatable, Codable, Sendable {
  /// Values by key, together (CFG-VALSET).
  case values([ConfigurationItem])
  /// The port that is connected to this board: UBX in and out, sentences out or not (CFG-PRT).
  case port(PortLine, hasSentences: Bool)
  /// The interval of a message on this port, in epochs (CFG-MSG).
  case messageRate(messageClass: UInt8, id: UInt8, rate: UInt8, portID: UInt8)
  /// Time between epochs (CFG-RATE).
  case navigationPeriod(milliseconds: UInt16)
  /// The dynamic model (CFG-NAV5).
  case model(DynamicModel)
  /// Saves ports, messages and navigation to battery-backed memory (CFG-CFG).
  case save

  /// A port with the line settings of CFG-PRT.
  enum PortLine: Equatable, Codable, Sendable {
    case i2c(address: UInt8)
    case uart(speed: Int)
    case usb

    var number: UInt8 {
      switch self {
      case .i2c: 0
      case .uart: 1
      case .usb: 3
      }
    }
  }

  /// Class and id of a command; an acknowledgement contains nothing else.
  struct Command: Equatable, Sendable {
    var messageClass: UInt8
    var id: UInt8
  }

  /// The order, as a frame.
  var order: [UInt8] {
    switch self {
    case .values(let items):
      return CfgVALSET(layers: [.ram, .batteryBackedRAM], items: items).frame
    case .port(let line, let hasSentences):
      return SetupStep.port(line, hasSentences).frame
    case .messageRate(let messageClass, let id, let rate, _):
      return CfgMSG(targetClass: messageClass, targetID: id, rate: .currentPort(rate)).frame
    case .navigationPeriod(let milliseconds):
      return CfgRATE(measurementMilliseconds: milliseconds).frame
    case .model(let model):
      var message = CfgNAV5()
      message.mask = .dynamicModel
      message.dynamicModel = model.rawValue
      return message.frame
    case .save:
      var message = CfgCFG()
      message.save = [.ports, .messages, .navigation]
      message.devices = .batteryBackedRAM
      return message.frame
    }
  }

  /// The class and id in an acknowledgement of the order.
  var command: Command {
    switch self {
    case .values: Command(messageClass: CfgVALSET.messageClass, id: CfgVALSET.messageID)
    case .port: Command(messageClass: CfgPRT.messageClass, id: CfgPRT.messageID)
    case .messageRate: Command(messageClass: CfgMSG.messageClass, id: CfgMSG.messageID)
    case .navigationPeriod: Command(messageClass: CfgRATE.messageClass, id: CfgRATE.messageID)
    case .model: Command(messageClass: CfgNAV5.messageClass, id: CfgNAV5.messageID)
    case .save: Command(messageClass: CfgCFG.messageClass, id: CfgCFG.messageID)
    }
  }

  /// The poll whose answer shows whether the order took effect, as a frame; nil if there is no such poll.
  var question: [UInt8]? {
    switch self {
    case .values(let items): CfgVALGETPoll(layer: .ram, keys: items.map(\.key)).frame
    case .port(let line, _): Poll(CfgPRT.self, selector: [line.number]).frame
    case .messageRate(let messageClass, let id, _, _):
      Poll(CfgMSG.self, selector: [messageClass, id]).frame
    case .navigationPeriod: Poll(CfgRATE.self).frame
    case .model: Poll(CfgNAV5.self).frame
    case .save: nil
    }
  }

  /// The class and id in an acknowledgement or a refusal of the poll.
  var questionCommand: Command {
    if case .values = self {
      return Command(messageClass: CfgVALGET.messageClass, id: CfgVALGET.messageID)
    }
    return command
  }

  /// The differences between the order and the receiver's answer.
  ///
  /// Empty: the order took effect. nil: the answer belongs to another poll.
  func differences(in answer: SetupAnswer) -> [String]? {
    switch (self, answer) {
    case (.values(let items), .values(let seen)):
      return SetupStep.differences(of: items, in: seen)
    case (.port(let line, let hasSentences), .port(let seen)):
      guard line.number == seen.portID else { return nil }
      let output = seen.outputProtocols
      return output.contains(.ubx) && output.contains(.nmea) == hasSentences
        ? [] : ["CFG-PRT outProtoMask is \(output.rawValue), not \(hasSentences ? 3 : 1)"]
    case (.messageRate(let messageClass, let id, let rate, let portID), .messageRate(let seen)):
      guard messageClass == seen.targetClass, id == seen.targetID else { return nil }
      let found = SetupStep.rate(seen.rate, portID: portID)
      return found == rate ? [] : ["\(name) is \(found), not \(rate)"]
    case (.navigationPeriod(let milliseconds), .navigationPeriod(let seen)):
      return seen == milliseconds ? [] : ["CFG-RATE measRate is \(seen), not \(milliseconds)"]
    case (.model(let model), .model(let seen)):
      return seen == model.rawValue ? [] : ["CFG-NAV5 dynModel is \(seen), not \(model.rawValue)"]
    case (.values, _), (.port, _), (.messageRate, _), (.navigationPeriod, _), (.model, _),
      (.save, _):
      return nil
    }
  }

  /// The two halves of a refused group; empty for a single order.
  var halves: [SetupStep] {
    guard case .values(let items) = self, items.count > 1 else { return [] }
    let middle = items.count / 2
    return [.values(Array(items[..<middle])), .values(Array(items[middle...]))]
  }

  /// The name under which a refusal of this order is recorded.
  var name: String {
    switch self {
    case .values(let items): items.map(\.key.description).joined(separator: " ")
    case .port: "CFG-PRT"
    case .messageRate(let messageClass, let id, _, _):
      "CFG-MSG of " + SetupStep.hexadecimal(messageClass) + " " + SetupStep.hexadecimal(id)
    case .navigationPeriod: "CFG-RATE"
    case .model(let model): "CFG-NAV5 dynModel \(model.rawValue)"
    case .save: "CFG-CFG"
    }
  }

  /// The dynamic model in this order, as a key or as CFG-NAV5.
  var orderedModel: DynamicModel? {
    switch self {
    case .model(let model): model
    case .values(let items):
      items.first { $0.key == .dynamicModel }
        .flatMap { UInt8(exactly: $0.value).flatMap(DynamicModel.init(rawValue:)) }
    case .port, .messageRate, .navigationPeriod, .save: nil
    }
  }

  private static func port(_ line: PortLine, _ hasSentences: Bool) -> CfgPRT {
    var message = CfgPRT()
    message.portID = line.number
    message.mode = 0
    message.baudRate = 0
    switch line {
    case .uart(let speed):
      message.mode = CfgPRT.mode8N1
      message.baudRate = UInt32(clamping: speed)
    case .i2c(let address):
      message.mode = UInt32(address) << 1
      // Without this flag the receiver drops its output if it is not read for 1.5 s; with it the buffer's contents
      // remain.
      message.flags = CfgPRT.extendedTimeout
    case .usb: break
    }
    message.inputProtocols = [.ubx, .nmea, .rtcm2]
    message.outputProtocols = hasSentences ? [.ubx, .nmea] : .ubx
    return message
  }

  /// The navigation rate in this order, in Hz; nil: none.
  var orderedRateHz: Int? {
    switch self {
    case .navigationPeriod(let milliseconds): 1_000 / max(1, Int(milliseconds))
    case .values(let items):
      items.first { $0.key == .rateMeasurement }.map {
        1_000 / Int(clamping: max(1, $0.value))
      }
    case .port, .messageRate, .model, .save: nil
    }
  }

  /// Whether this order sets the navigation rate.
  var isRate: Bool {
    switch self {
    case .navigationPeriod: true
    case .values(let items): items.contains { $0.key == .rateMeasurement }
    case .port, .messageRate, .model, .save: false
    }
  }

  private static func differences(
    of items: [ConfigurationItem], in seen: [ConfigurationItem]
  ) -> [String]? {
    guard items.contains(where: { item in seen.contains { $0.key == item.key } })
    else { return nil }
    return items.compactMap { item in
      guard let found = seen.first(where: { $0.key == item.key }) else {
        return "\(item.key) is not reported"
      }
      return found.value == item.value
        ? nil : "\(item.key) is \(found.value), not \(item.value)"
    }
  }

  private static func rate(_ rate: CfgMSG.Rate, portID: UInt8) -> UInt8 {
    switch rate {
    case .currentPort(let rate): rate
    case .ports(let ddc, let uart1, let uart2, let usb, let spi, let reserved):
      switch portID {
      case 0: ddc
      case 1: uart1
      case 2: uart2
      case 3: usb
      case 4: spi
      case _: reserved
      }
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

/// The receiver's answer to the poll of a setup step.
enum SetupAnswer: Equatable, Sendable {
  case values([ConfigurationItem])
  case port(CfgPRT)
  case messageRate(CfgMSG)
  case navigationPeriod(UInt16)
  case model(UInt8)
}
