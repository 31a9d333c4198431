import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The epochs that leave `binnacle audit` for later ones: only those that have ended.
@Suite struct UseLimitTests {
  private static let tracker = ConsentDesk.tracker
  private static let tool = AppID.unlisted(userID: 0, executable: "/usr/bin/binnacle")

  private static func epoch(
    _ app: AppID, _ right: UseRight = .backgroundSession, hasEnded: Bool
  ) -> BackgroundEpoch {
    BackgroundEpoch(
      app: app, right: right, from: nil, to: nil, updateCount: 0, hasEnded: hasEnded,
      isLampVerified: true)
  }

  @Test(arguments: [UseRight.backgroundSession, .operator])
  func aUseThatContinuesOutlastsAnyNumberOfLaterOnes(_ right: UseRight) {
    let app = right == .operator ? Self.tool : Self.tracker
    var epochs = BackgroundEpochs()
    let number = epochs.begin(Self.epoch(app, right, hasEnded: false), at: .zero)
    for other in 0..<200 {
      _ = epochs.begin(Self.epoch(.listed("org.example.a\(other)"), hasEnded: true), at: .zero)
    }
    for _ in 0..<200 { _ = epochs.begin(Self.epoch(app, right, hasEnded: true), at: .zero) }
    #expect(epochs.entries.count == 128)
    #expect(epochs.entries.first?.number == number)
    let end = Instant.zero + .seconds(100)
    epochs.end(number, updateCount: 5, time: nil, at: end)
    let kept = epochs.takeNotes(at: end + .seconds(100), time: nil)
      .compactMap { $0.value.flatMap(BackgroundEpoch.init(bytes:)) }
    #expect(kept.contains { $0.hasEnded && $0.updateCount == 5 })
  }

  @Test func theOldestUseIsRemovedWhenAllContinueInAllPlaces() {
    var epochs = BackgroundEpochs()
    func names() -> [String] { epochs.entries.map { "\($0.epoch.app)" } }
    var numbers: [UInt32] = []
    func begin(_ number: Int) -> BackgroundEpoch {
      Self.epoch(.listed("a\(number)"), hasEnded: false)
    }
    for number in 0..<136 { numbers.append(epochs.begin(begin(number), at: .zero)) }
    #expect(names().count == 136 && names().first == "a0")
    #expect(RecordTable.backgroundEpoch.countMax == 136)
    _ = epochs.begin(begin(136), at: .zero)
    #expect(names().count == 136 && names().first == "a1")
    epochs.end(numbers[5], updateCount: 0, time: nil, at: .zero)
    _ = epochs.begin(begin(137), at: .zero)
    #expect(names().first == "a1" && !names().contains("a5") && names().last == "a137")
  }
}
