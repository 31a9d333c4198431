/// The way to the next fix, with u-blox's time for it under an open sky (Docs/SOURCES.md, U5).
enum FixForecast: String {
  case continues = "it has one"
  case hotStart = "hot start"
  case warmStart = "warm start"
  case coldStart = "cold start"

  var seconds: Double {
    switch self {
    case .continues: 1
    case .hotStart: 3
    case .warmStart: 28
    case .coldStart: 32
    }
  }
}
