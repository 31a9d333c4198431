import BinnacleModel
import LocationEngine
import StateLog

/// Whether location services are on, according to the disk's acknowledgements.
///
/// The ledger checks two promises: no app gets a position while location services are off, and neither state counts
/// before its commit.
struct ServiceLedger: Sendable {
  /// Whether location services are on for apps.
  private(set) var isOn = true
  /// The state that the log has acknowledged.
  private(set) var isOnKept = true
  /// The state in the pending commit.
  private var ordered: (number: UInt32, isOn: Bool)?
  /// The states of failed commits: each may be on the disk nevertheless, until a later commit is acknowledged.
  private var failed: Set<Bool> = []
  private var requests: [(number: UInt32, isOn: Bool)] = []
  /// Requests to erase, which get an answer as well.
  private var otherRequests: [UInt32] = []

  private static let name = RecordName(kind: RecordTable.locationServices.number)

  mutating func delivered(_ event: Event) {
    switch event {
    case .client(_, .requested(let request, .setServices(let isOn))):
      requests.append((request, isOn))
    case .client(_, .requested(let request, .state(.erase))): otherRequests.append(request)
    case .storage(.committed(let number, _)):
      guard let ordered, ordered.number == number else { return }
      isOnKept = ordered.isOn
      isOn = ordered.isOn
      failed = []
      self.ordered = nil
    case .storage(.commitFailed(let number, _)):
      guard let ordered, ordered.number == number else { return }
      // Switching off takes effect even if its commit fails.
      if !ordered.isOn { isOn = false }
      failed.insert(ordered.isOn)
      self.ordered = nil
    case .client, .storage(.read), .storage(.markChanged), .receiver, .line, .accelerometer, .track,
      .launcher, .appsRead,
      .consentSettingsRead,
      .wallClockRead, .started, .stopRequested, .deadlineReached:
      return
    }
  }

  mutating func ordered(_ number: UInt32, _ changes: [Change]) {
    for change in changes where change.name == ServiceLedger.name {
      ordered = (number, change.action == .put([1], isCautious: true))
    }
  }

  /// Checks an answer: an answer without a commit is right only when the log already has the state.
  mutating func answered(_ request: UInt32, failure: String?) -> String? {
    guard let index = requests.firstIndex(where: { $0.number == request }) else {
      if otherRequests.contains(request) { return nil }
      return "an answer to no request"
    }
    let wanted = requests.remove(at: index).isOn
    if failure != nil { return nil }
    if wanted != isOnKept {
      return "location services are said to be \(wanted ? "on" : "off") before the disk has it"
    }
    isOn = wanted
    return nil
  }

  func delivered(_ update: Update) -> String? {
    let isOffTold = update.flags.contains(.authorizationDeniedGlobally)
    if update.fix != nil, !isOn { return "a position while location services are off" }
    if isOffTold, isOn { return "location services are told to be off before their commit" }
    return nil
  }

  /// Checks the log after a power cut: an acknowledged state is present, a pending state may be.
  mutating func powerCut(found records: RecordSet) -> String? {
    let found = records[ServiceLedger.name].map { $0 == [1] } ?? true
    let isAllowed = found == isOnKept || found == ordered?.isOn || failed.contains(found)
    ordered = nil
    failed = []
    requests = []
    isOn = found
    isOnKept = found
    return isAllowed ? nil : "a promise about location services was not kept"
  }
}
