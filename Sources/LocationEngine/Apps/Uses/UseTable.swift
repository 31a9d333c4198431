import BinnacleBasics
import BinnacleModel

/// The present uses of locations, and the epochs of background use.
struct UseTable: Equatable, Codable, Sendable {
  private(set) var uses: [LocationUse] = []
  /// The number of the epoch of each use; nil for a use in the foreground.
  private var numbers: [UInt32?] = []
  var epochs = BackgroundEpochs()

  /// Begins and ends uses, so that the table has these.
  ///
  /// - Parameters:
  ///   - present: the uses that exist now; the time and the count of a use that continues do not change.
  ///   - isLampVerified: whether the indicator was read back lit.
  ///   - time: the time; nil if it is unknown.
  ///   - now: the instant.
  mutating func settle(
    _ present: [LocationUse], isLampVerified: Bool, time: UTCTime?, at now: Instant
  ) {
    for index in uses.indices.reversed()
    where !present.contains(where: { $0.isSame(as: uses[index]) }) {
      if let number = numbers[index] {
        epochs.end(number, updateCount: uses[index].updateCount, time: time, at: now)
      }
      uses.remove(at: index)
      numbers.remove(at: index)
    }
    for use in present where !uses.contains(where: { $0.isSame(as: use) }) {
      uses.append(use)
      numbers.append(
        use.isEpoch
          ? epochs.begin(
            BackgroundEpoch(
              app: use.app, right: use.right, from: use.time, to: use.time, updateCount: 0,
              hasEnded: false, isLampVerified: isLampVerified && use.right != .operator), at: now)
          : nil)
    }
  }

  /// Takes the epochs of earlier runs, at the start or when the log can be read later.
  mutating func adopt(_ reading: StateReading, isFirst: Bool) {
    let offset = epochs.adopt(reading, isFirst: isFirst)
    numbers = numbers.map { number in number.map { $0 &+ offset } }
  }

  /// Whether an epoch continues.
  func isPresent(_ number: UInt32) -> Bool { numbers.contains(number) }

  /// A location was delivered to an operator's tool that has no updates open: a use that begins and ends now.
  ///
  /// - Parameters:
  ///   - app: the tool.
  ///   - time: the time; nil if it is unknown.
  ///   - now: the instant.
  mutating func deliveredOnce(to app: AppID, time: UTCTime?, at now: Instant) {
    if uses.contains(where: { $0.app == app && $0.right == .operator }) {
      return delivered(to: app, isOperator: true, at: now)
    }
    let number = epochs.begin(
      BackgroundEpoch(
        app: app, right: .operator, from: time, to: time, updateCount: 0, hasEnded: false,
        isLampVerified: false), at: now)
    epochs.delivered(1, in: number, at: now)
    epochs.end(number, updateCount: 1, time: time, at: now)
  }

  /// A location was delivered to an app, or to the tool of an operator.
  mutating func delivered(to app: AppID, isOperator: Bool, at now: Instant) {
    let index = uses.firstIndex { $0.app == app && ($0.right == .operator) == isOperator }
    guard let index else { return }
    uses[index].updateCount += 1
    if let number = numbers[index] {
      epochs.delivered(uses[index].updateCount, in: number, at: now)
    }
  }
}
