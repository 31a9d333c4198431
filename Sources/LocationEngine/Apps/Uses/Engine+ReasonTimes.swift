import BinnacleBasics
import BinnacleModel

/// The times in the reasons of `binnacle why APP`: the next fix, the next location, and the next try.
///
/// Each function gives a sentence after a blank, or an empty text without a time.
extension Engine {
  private static func wait(until instant: Instant, at now: Instant) -> String {
    "\(max(1, Int64((instant - now).seconds.rounded(.up)))) s"
  }

  /// The expected next fix.
  func nextFixInWords(at now: Instant) -> String {
    guard let forecast = fixForecast(at: now) else { return "" }
    if receiver.condition == .asleep {
      let start = forecast == .continues ? .hotStart : forecast
      let seconds = Int64(start.seconds)
      return
        " After a wake-up the receiver needs about \(seconds) s for a fix (\(start.rawValue))."
    }
    let seconds = Int64(forecast.seconds)
    if forecast == .continues { return " The next fix is expected within \(seconds) s." }
    return
      " Under an open sky the next fix is expected in about \(seconds) s (\(forecast.rawValue))."
  }

  /// The next try to find the receiver.
  func nextReceiverTryInWords(at now: Instant) -> String {
    guard let due = receiver.nextTryAt else { return "" }
    return " The daemon tries again in \(Engine.wait(until: due, at: now))."
  }

  /// The next check of a lit indicator, or the next try to light it.
  func nextLampTryInWords(at now: Instant) -> String {
    guard let lamp = panel.indicator else { return "" }
    let verification = panel.indicatorLight.nextVerification
    switch apps.light {
    case .dark, .asserting: return ""
    case .lit:
      guard let verification else { return "" }
      return " The lamp is verified again in \(Engine.wait(until: verification, at: now))."
    case .failed:
      guard let due = lamp.nextDeadline ?? verification else { return "" }
      return " The daemon tries again in \(Engine.wait(until: due, at: now))."
    }
  }

  /// The next approximate location of an app; a reader of a door gets one with each fix.
  func nextPlaceInWords(of app: AppID, at now: Instant) -> String {
    guard !app.isDoor, apps.entitlement(of: peer(of: app)).permitsDelivery else { return "" }
    let reduced = updates.sequences(of: app).filter(\.isReduced)
    if reduced.isEmpty { return "" }
    let dues = reduced.map { sequence in
      sequence.state == .unavailable
        ? now : sequence.coarseAt.map { $0 + CoarsePlace.lifetime } ?? now
    }
    guard let due = dues.min(), due > now else {
      return " The next approximate location comes with the next fix."
    }
    return " The next approximate location is due in \(Engine.wait(until: due, at: now))."
  }
}
