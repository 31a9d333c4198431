/// The parsers that bytes are thrown at; each throws its bytes at one of them and must not trap.
enum FuzzTarget: String, CaseIterable {
  case ubxStream
  case wire
  case ubxFrames
  case ubxMessages
  case virtualWire
  case stateLog
  case settings
  case motion

  func run(_ bytes: [UInt8]) {
    switch self {
    case .ubxStream: fuzzStream(bytes)
    case .wire: fuzzWire(bytes)
    case .ubxFrames: fuzzFrames(bytes)
    case .ubxMessages: fuzzMessages(bytes)
    case .virtualWire: fuzzVirtualWire(bytes)
    case .stateLog: fuzzStateLog(bytes)
    case .settings: fuzzSettings(bytes)
    case .motion: fuzzMotion(bytes)
    }
  }
}
