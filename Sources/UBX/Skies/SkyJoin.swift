import BinnacleBasics
import BinnacleModel

/// Makes a sky from each NAV-SAT, or NAV-SVINFO without NAV-SAT, with the dilutions and the time of the same epoch.
///
/// Messages of one epoch have the same time of week. A sky is published when its dilutions and its time are known, at
/// the latest with a message with a different time of week or at the end of the stream. NAV-EOE does not end the epoch,
/// because answers to polls arrive after it. An epoch has one sky: a receiver may send the same list both by itself and
/// as an answer to a poll.
struct SkyJoin: Equatable, Codable, Sendable {
  private var list: List?
  /// The time of week of the last published sky.
  private var givenITOW: UInt32?
  private var dilutions: Dilutions?
  /// M8 sends both lists with the same satellites if both messages are enabled.
  private var hasNavSAT = false

  private struct List: Equatable, Codable {
    var iTOW: UInt32
    var satellites: [Satellite]
  }

  private struct Dilutions: Equatable, Codable {
    var iTOW: UInt32
    var horizontalE2: UInt16?
    var verticalE2: UInt16?
    var positionE2: UInt16?
  }

  /// Publishes the sky of the current list if a message of class NAV belongs to a different epoch.
  mutating func ended(by id: UInt8, _ payload: Payload, _ epoch: UBXEpoch) -> Sky? {
    guard let list, SkyJoin.startsWithITOW(id), payload.count >= 4,
      payload.u32(0) != list.iTOW
    else { return nil }
    return finish(epoch)
  }

  /// Takes a message of class NAV.
  mutating func take(id: UInt8, _ payload: Payload) {
    switch id {
    case NavDOP.messageID:
      guard let message = NavDOP(payload) else { return }
      dilutions = Dilutions(
        iTOW: message.iTOWMilliseconds, horizontalE2: knownDOP(message.horizontalE2),
        verticalE2: knownDOP(message.verticalE2), positionE2: knownDOP(message.positionE2))
    case NavSAT.messageID:
      guard let message = NavSAT(payload) else { return }
      hasNavSAT = true
      note(message.satellites.compactMap { Satellite($0) }, iTOW: message.iTOWMilliseconds)
    case NavSVINFO.messageID:
      guard !hasNavSAT, let message = NavSVINFO(payload) else { return }
      note(message.channels.compactMap { Satellite($0) }, iTOW: message.iTOWMilliseconds)
    case _: return
    }
  }

  private mutating func note(_ satellites: [Satellite], iTOW: UInt32) {
    if iTOW != givenITOW { list = List(iTOW: iTOW, satellites: satellites) }
  }

  /// The sky of the current list; nil until the dilutions and the time are known.
  mutating func complete(_ epoch: UBXEpoch) -> Sky? {
    guard let list, dilutions?.iTOW == list.iTOW, epoch.utc(of: list.iTOW) != nil else {
      return nil
    }
    return finish(epoch)
  }

  /// The sky of the current list with the known values; nil without a list.
  mutating func finish(_ epoch: UBXEpoch) -> Sky? {
    guard let list else { return nil }
    self.list = nil
    givenITOW = list.iTOW
    var sky = Sky(time: epoch.utc(of: list.iTOW), satellites: list.satellites)
    guard let dilutions, dilutions.iTOW == list.iTOW else { return sky }
    sky.horizontalDilution = dilutionFactor(hundredths: dilutions.horizontalE2)
    sky.verticalDilution = dilutionFactor(hundredths: dilutions.verticalE2)
    sky.positionDilution = dilutionFactor(hundredths: dilutions.positionE2)
    return sky
  }

  /// Whether the first field of a message is the epoch's time of week.
  private static func startsWithITOW(_ id: UInt8) -> Bool {
    switch id {
    case NavPVT.messageID, NavSOL.messageID, NavPOSLLH.messageID, NavVELNED.messageID,
      NavSTATUS.messageID, NavTIMEUTC.messageID, NavTIMEGPS.messageID, NavDOP.messageID,
      NavSAT.messageID, NavSVINFO.messageID, NavEOE.messageID:
      true
    case _: false
    }
  }
}
