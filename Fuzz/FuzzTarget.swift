/// The fuzz targets; each passes the input to one parser or machine, which must not trap.
enum FuzzTarget: String, CaseIterable {
  case ubxStream
  case wire
  case launchWire
  case ubxFrames
  case ubxMessages
  case virtualWire
  case stateLog
  case settings
  case motion
  case engine
  case trace
  case track
  case records
  case gzip
  case serverConnection
  case clientConnection
  case commandWords
  case editor

  func run(_ bytes: [UInt8]) {
    switch self {
    case .ubxStream: fuzzStream(bytes)
    case .wire: fuzzWire(bytes)
    case .launchWire: fuzzLaunchWire(bytes)
    case .ubxFrames: fuzzFrames(bytes)
    case .ubxMessages: fuzzMessages(bytes)
    case .virtualWire: fuzzVirtualWire(bytes)
    case .stateLog: fuzzStateLog(bytes)
    case .settings: fuzzSettings(bytes)
    case .motion: fuzzMotion(bytes)
    case .engine: fuzzEngine(bytes)
    case .trace: fuzzTrace(bytes)
    case .track: fuzzTrack(bytes)
    case .records: fuzzRecords(bytes)
    case .gzip: fuzzGzip(bytes)
    case .serverConnection: fuzzServerConnection(bytes)
    case .clientConnection: fuzzClientConnection(bytes)
    case .commandWords: fuzzCommandWords(bytes)
    case .editor: fuzzEditor(bytes)
    }
  }
}
