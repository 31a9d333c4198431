public import BinnacleBasics

/// An order to a bus: steps that are carried out one after the other, without steps of other orders in between.
public struct I2COrder: Equatable, Sendable {
  public let steps: [Step]
  /// The number of retries of a transfer after a missing acknowledge or a lost arbitration.
  ///
  /// Such a transfer read and wrote nothing. A transfer that failed in its middle is never repeated here: only the
  /// sender of the order knows whether that is safe.
  public let retriesMax: Int
  /// The distance from one beginning to the next of an order that is carried out until it fails or is taken back;
  /// nil: once.
  public let period: Interval?
  /// The number of outcomes of a periodic order that are delivered together; a failure is delivered at once, with the
  /// outcomes before it.
  public let outcomesPerDelivery: Int
  /// The outcomes that may wait for later ones; all others are delivered at once.
  public let quiet: Quiet

  public enum Step: Equatable, Sendable {
    /// Answers with the bytes of each of its reads.
    case transfer(I2CTransfer)
    /// Answers with the level and with the bytes that it stood for, which may be none.
    case counted(I2CCountedRead)
  }

  /// Outcomes that carry no news.
  public enum Quiet: Equatable, Sendable {
    case everything
    /// The first answers equal these; nil accepts any answer.
    case answers([[UInt8]?])
    /// The last answer is samples that show no motion.
    case stillness(SampleStillness)

    /// Whether an outcome can wait.
    public func covers(_ answers: [[UInt8]]) -> Bool {
      switch self {
      case .everything: true
      case .answers(let wanted):
        answers.count >= wanted.count && zip(wanted, answers).allSatisfy { $0 == nil || $0 == $1 }
      case .stillness(let stillness): answers.last.map { stillness.isSeen(in: $0) } ?? false
      }
    }
  }

  public static let stepsMax = 64
  public static let outcomesPerDeliveryMax = 16

  /// - Parameters:
  ///   - steps: 1 to `stepsMax`; the first that fails ends the order.
  ///   - retriesMax: 0 to 10.
  ///   - period: at least 1 ms.
  ///   - outcomesPerDelivery: 1 to `outcomesPerDeliveryMax`.
  ///   - quiet: the outcomes that may wait for later ones.
  public init(
    steps: [Step], retriesMax: Int = 2, period: Interval? = nil, outcomesPerDelivery: Int = 1,
    quiet: Quiet = .everything
  ) {
    precondition((1...I2COrder.stepsMax).contains(steps.count), "an order of no size")
    precondition((0...10).contains(retriesMax), "an order is tried a few times at most")
    precondition(period.map { $0 >= .milliseconds(1) } ?? true, "an order without a pause")
    precondition(
      (1...I2COrder.outcomesPerDeliveryMax).contains(outcomesPerDelivery),
      "outcomes that wait for ever")
    self.steps = steps
    self.retriesMax = retriesMax
    self.period = period
    self.outcomesPerDelivery = outcomesPerDelivery
    self.quiet = quiet
  }

  /// An order of transfers alone.
  public init(_ transfers: [I2CTransfer], retriesMax: Int = 2, period: Interval? = nil) {
    self.init(
      steps: transfers.map { .transfer($0) }, retriesMax: retriesMax, period: period)
  }

  /// The sender of an order, and the sender's number for the order.
  public struct Ticket: Hashable, Sendable {
    public enum Owner: UInt8, CaseIterable, Sendable {
      case accelerometer
      case receiver
    }

    public let owner: Owner
    public let number: UInt64

    public init(_ owner: Owner, number: UInt64) {
      self.owner = owner
      self.number = number
    }
  }

  /// The outcome of an order; for a periodic order, the outcome of one period.
  public struct Outcome: Equatable, Sendable {
    public let ticket: Ticket
    /// The bytes of the reads, in order, including the reads before a failure.
    public let answers: [[UInt8]]
    /// The fault that ended the order early; a periodic order ends with it for good.
    public let failure: I2CFault?
    /// Transfers that had to be tried again.
    public let retryCount: Int
    /// When the first transfer began and the last one ended.
    public let began: Instant
    public let ended: Instant

    public init(
      ticket: Ticket, answers: [[UInt8]], failure: I2CFault? = nil, retryCount: Int = 0,
      began: Instant, ended: Instant
    ) {
      self.ticket = ticket
      self.answers = answers
      self.failure = failure
      self.retryCount = retryCount
      self.began = began
      self.ended = ended
    }
  }
}
