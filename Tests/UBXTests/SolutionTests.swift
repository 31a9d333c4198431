import Foundation
import TestSupport
import Testing

@testable import UBX

/// Navigation solutions out of recordings, beside what two independent programs made of them.
@Suite struct SolutionTests {
  static func solutions(
    _ bytes: [UInt8], _ publication: StreamDecoder.Publication = .whenEnded
  ) -> [NavigationSolution] {
    var decoder = StreamDecoder(publication: publication)
    var solutions: [NavigationSolution] = []
    decoder.append(bytes)
    decoder.finish()
    while let solution = decoder.nextSolution() { solutions.append(solution) }
    return solutions
  }

  /// A line of `reference/*.navpvt.jsonl`.
  struct Reference: Decodable {
    let iTOW: UInt32
    let utc: String
    let nano, valid, tAcc, fixType, flags, flags2, flags3, numSV, lat, lon, height, hMSL: Int
    let hAcc, vAcc, velN, velE, velD, gSpeed, headMot, sAcc, headAcc, pDOP: Int

    static func lines(_ recording: Recording) throws -> [Reference] {
      let path = "ublox/reference/\(recording.name).navpvt.jsonl"
      guard let bytes = try? TestData.bytes(path) else { return [] }
      return try bytes.split(separator: UInt8(ascii: "\n")).map {
        try JSONDecoder().decode(Reference.self, from: Data($0))
      }
    }
  }

  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    arguments: Recording.all)
  func everyValueOfEveryNavPVTIsThatOfTheReference(recording: Recording) throws {
    let references = try Reference.lines(recording)
    let bytes = try recording.bytes()
    for publication in [StreamDecoder.Publication.whenEnded, .whenPositioned] {
      let solutions = Self.solutions(bytes, publication).filter { $0.source == .navPVT }
      #expect(solutions.count == references.count)
      for (solution, reference) in zip(solutions, references) { compare(solution, reference) }
    }
  }

  private func compare(_ solution: NavigationSolution, _ reference: Reference) {
    #expect(solution.iTOWMilliseconds == reference.iTOW)
    #expect(solution.isDateValid == (reference.valid & 1 != 0))
    #expect(solution.isTimeValid == (reference.valid & 2 != 0))
    #expect(
      solution.isTimeConfirmed
        == (reference.flags2 & 32 == 0 ? nil : reference.flags2 & 192 == 192))
    #expect(solution.timeAccuracyNanoseconds == Self.known(reference.tAcc))
    #expect(solution.fixType?.rawValue == UInt8(reference.fixType))
    #expect(solution.isFixOK == (reference.flags & 1 != 0))
    #expect(solution.satelliteCount == reference.numSV)
    #expect(solution.horizontalAccuracyMillimeters == Self.known(reference.hAcc))
    #expect(solution.verticalAccuracyMillimeters == Self.known(reference.vAcc))
    #expect(solution.velocity?.north == Int32(reference.velN))
    #expect(solution.velocity?.east == Int32(reference.velE))
    #expect(solution.velocity?.down == Int32(reference.velD))
    #expect(solution.groundSpeedMillimetersPerSecond == Int32(reference.gSpeed))
    #expect(solution.headingOfMotionE5 == Int32(reference.headMot))
    #expect(solution.speedAccuracyMillimetersPerSecond == Self.known(reference.sAcc))
    #expect(
      solution.headingAccuracyE5
        == (reference.headAcc == 18_000_000 ? nil : UInt32(reference.headAcc)))
    #expect(solution.positionDOPE2 == (reference.pDOP == 9_999 ? nil : UInt16(reference.pDOP)))
    let isNowhere = reference.lat == 0 && reference.lon == 0
    if reference.flags3 & 1 != 0 || (isNowhere && [0, 1, 5].contains(reference.fixType)) {
      #expect(solution.position == nil)
    } else {
      #expect(solution.position?.latitudeE7 == Int32(reference.lat))
      #expect(solution.position?.longitudeE7 == Int32(reference.lon))
      #expect(solution.position?.heightMillimeters == Int32(reference.height))
      #expect(solution.position?.heightMSLMillimeters == Int32(reference.hMSL))
    }
    compareTime(solution, reference)
  }

  private func compareTime(_ solution: NavigationSolution, _ reference: Reference) {
    guard reference.valid & 3 == 3, !reference.utc.hasSuffix(":60") else {
      if reference.valid & 3 != 3 { #expect(solution.utc == nil) }
      return
    }
    let formatter = ISO8601DateFormatter()
    guard let date = formatter.date(from: reference.utc + "Z"), let utc = solution.utc else {
      Issue.record("\(reference.utc) is \(String(describing: solution.utc))")
      return
    }
    let nanoseconds = Int64(date.timeIntervalSince1970) * 1_000_000_000 + Int64(reference.nano)
    #expect(utc.secondsSince1970 * 1_000_000_000 + Int64(utc.nanoseconds) == nanoseconds)
  }

  private static func known(_ accuracy: Int) -> UInt32? {
    accuracy == 0xFFFF_FFFF ? nil : UInt32(accuracy)
  }
}
