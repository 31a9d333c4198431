import BinnacleBasics
import BinnacleModel

/// The rows of the lists of present uses and of epochs.
extension Engine {
  func useRows(_ isVisible: (AppID) -> Bool) -> [Report] {
    uses.uses.filter { isVisible($0.app) }.map { use in
      var row = Report()
      row.add(.rowID, "\(use.app)")
      row.add(.rowRole, use.role)
      row.add(.rowRight, use.right.name)
      // A tool of an operator has no state of an app.
      if use.right != .operator { row.add(.rowState, apps.state(of: use.app).rawValue) }
      if let time = use.time { row.add(.rowSince, time.rfc3339(fractionDigits: 0)) }
      row.add(.rowUpdates, Int64(use.updateCount))
      return row
    }
  }

  /// The epochs, oldest first.
  func epochRows(_ isVisible: (AppID) -> Bool) -> [Report] {
    uses.epochs.entries.filter { isVisible($0.epoch.app) }.map { entry in
      var row = Report()
      let epoch = entry.epoch
      row.add(.rowID, "\(epoch.app)")
      if let from = epoch.from { row.add(.rowFrom, from.rfc3339(fractionDigits: 0)) }
      let isPresent = uses.isPresent(entry.number)
      if !isPresent, let to = epoch.to { row.add(.rowTo, to.rfc3339(fractionDigits: 0)) }
      row.add(.rowRight, epoch.right.name)
      row.add(.rowUpdates, Int64(epoch.updateCount))
      row.add(.rowIsLampVerified, epoch.isLampVerified)
      if epoch.isInterrupted { row.add(.rowIsInterrupted, true) }
      return row
    }
  }
}

/// The rows of unlocked consoles and wrong PINs.
extension Engine {
  func consoleRows() -> [Report] {
    consoleUses.entries.map { entry in
      var row = Report()
      let use = entry.use
      row.add(.rowID, use.console)
      row.add(.rowConsoleRole, "console")
      if let from = use.from { row.add(.rowFrom, from.rfc3339(fractionDigits: 0)) }
      if entry.client == nil, let to = use.to { row.add(.rowTo, to.rfc3339(fractionDigits: 0)) }
      row.add(.rowRight, use.cause.name)
      if use.cause == .wrongPIN { row.add(.rowWrongPINs, Int64(use.wrongCount)) }
      return row
    }
  }
}

extension LocationUse {
  /// The role of the app in JSON.
  fileprivate var role: String {
    if case .door = app { return "door" }
    return right == .operator ? "operator" : "app"
  }
}
