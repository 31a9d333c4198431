import BinnacleBasics

/// The fields of a recorded NAV-PVT (UBX-21035062, UBX-NAV-PVT), for the checks.
struct RecordedPVT: Equatable, Sendable {
  var iTOW: UInt32
  var year: UInt16
  var month: UInt8
  var day: UInt8
  var hour: UInt8
  var minute: UInt8
  var second: UInt8
  var valid: UInt8
  var timeAccuracy: UInt32
  var nano: Int32
  var fixType: UInt8
  var flags: UInt8
  var satelliteCount: UInt8
  var longitude: Int32
  var latitude: Int32
  var height: Int32
  var heightMSL: Int32
  var horizontalAccuracy: UInt32
  var verticalAccuracy: UInt32
  var velocityNorth: Int32
  var velocityEast: Int32
  var velocityDown: Int32
  var groundSpeed: Int32
  var headingOfMotion: Int32
  var speedAccuracy: UInt32
  var headingAccuracy: UInt32
  var positionDOP: UInt16
  var flags3: UInt16

  init?(_ frame: RecordedFrame) {
    guard frame.kind == .ubx, frame.messageClass == 0x01, frame.id == 0x07 else { return nil }
    var reader = ByteReader(frame.payload)
    guard let iTOW = reader.u32(), let year = reader.u16(), let calendar = reader.take(6),
      let timeAccuracy = reader.u32(), let nano = reader.i32(), let fix = reader.take(4),
      let place = RecordedPVT.numbers(4, &reader), let accuracies = RecordedPVT.numbers(2, &reader),
      let motion = RecordedPVT.numbers(7, &reader), let positionDOP = reader.u16(),
      let flags3 = reader.u16()
    else { return nil }
    self.iTOW = iTOW
    self.year = year
    (month, day, hour) = (calendar[0], calendar[1], calendar[2])
    (minute, second, valid) = (calendar[3], calendar[4], calendar[5])
    self.timeAccuracy = timeAccuracy
    self.nano = nano
    (fixType, flags, satelliteCount) = (fix[0], fix[1], fix[3])
    (longitude, latitude) = (place[0], place[1])
    (height, heightMSL) = (place[2], place[3])
    horizontalAccuracy = UInt32(bitPattern: accuracies[0])
    verticalAccuracy = UInt32(bitPattern: accuracies[1])
    (velocityNorth, velocityEast, velocityDown) = (motion[0], motion[1], motion[2])
    (groundSpeed, headingOfMotion) = (motion[3], motion[4])
    speedAccuracy = UInt32(bitPattern: motion[5])
    headingAccuracy = UInt32(bitPattern: motion[6])
    self.positionDOP = positionDOP
    self.flags3 = flags3
  }

  var isFixOK: Bool { flags & 1 != 0 }
  var isTimeKnown: Bool { valid & 3 == 3 && timeAccuracy < 1_000_000 }
  var hasNoPosition: Bool { latitude == 0 && longitude == 0 }

  private static func numbers(_ count: Int, _ reader: inout ByteReader) -> [Int32]? {
    var numbers: [Int32] = []
    for _ in 0..<count {
      guard let number = reader.i32() else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
