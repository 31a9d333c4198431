import BinnacleBasics
import Simulation
import TestSupport
import Testing

@Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
func recordingsPlayAsLongAsTheyTook() throws {
  for (name, seconds) in [
    ("gpsd-m10-spg510-glo.log", 300.0), ("navsol-f9t-l2-5min.ubx", 299), ("gpsd-neo-m8p.log", 15),
    ("gpsd-neo-m9n-nmea.log", 61), ("gpsd-zed-f9r.log", 30), ("ubxview-drone-hpposllh.ubx", 197),
  ] {
    let schedule = RecordingSchedule(of: try TestData.bytes("ublox/logs/\(name)"))
    #expect((schedule.duration.seconds - seconds).magnitude <= seconds * 0.02 + 1, "\(name)")
  }
}

@Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
func everyByteIsPlayedOnceAndInOrder() throws {
  for name in try TestData.ubloxLogs() {
    let bytes = try TestData.bytes("ublox/logs/\(name)")
    let schedule = RecordingSchedule(of: bytes, factor: 10)
    var next = 0
    var last = Interval.zero
    for piece in schedule.pieces {
      #expect(piece.range.lowerBound == next && piece.due >= last)
      next = piece.range.upperBound
      last = piece.due
    }
    #expect(next == bytes.count)
    #expect(schedule.duration >= last)
  }
}

@Test func aRecordingWithoutTimesPlaysAtThePaceOfTheLine() {
  let schedule = RecordingSchedule(of: [UInt8](repeating: 0x20, count: 11_520))
  #expect(schedule.epochCount == 0)
  #expect((schedule.duration.seconds - 1).magnitude < 0.01)
}
