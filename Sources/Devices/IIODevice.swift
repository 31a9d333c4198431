import Accelerometers
import BinnaclePosix

/// The files of one accelerometer under `/sys/bus/iio/devices`.
struct IIODevice: Sendable {
  let path: String
  let name: String
  let address: UInt8
  let gPerCount: Double

  /// Standard gravity, in meters per second squared.
  private static let gravity = 9.80665

  /// The first accelerometer on a bus; nil if there is none.
  static func find(bus: String, address: UInt8?, root: String) -> IIODevice? {
    let directory = root + "/sys/bus/iio/devices"
    let names = ((try? Files.list(directory)) ?? []).filter { $0.hasPrefix("iio:device") }
    for name in names {
      let path = directory + "/" + name
      guard let place = try? Files.resolve(path), let found = clientAddress(in: place, bus: bus),
        address == nil || address == found, Files.exists(path + "/in_accel_x_raw"),
        let scale = number(path + "/in_accel_scale") ?? number(path + "/in_accel_x_scale")
      else { continue }
      return IIODevice(
        path: path, name: text(path + "/name") ?? name, address: found,
        gPerCount: scale / gravity)
    }
    return nil
  }

  /// `.../i2c-1/1-0018/iio:device0` is at 0x18 of bus 1.
  private static func clientAddress(in place: String, bus: String) -> UInt8? {
    let parts = place.split(separator: "/")
    guard parts.count >= 2 else { return nil }
    let client = parts[parts.count - 2].split(separator: "-")
    guard client.count == 2, client[0] == bus else { return nil }
    return UInt8(client[1], radix: 16)
  }

  func description(
    mode: AccelerometerMachine.Mode, rateHz: Int
  ) -> AccelerometerDescription {
    AccelerometerDescription(
      model: name, address: address, reading: .kernel,
      rateHz: mode == .resting ? 1.0 / 60 : Double(rateHz),
      // The files do not contain the range; chips start at 2 g.
      rangeG: 2, noiseG: 0, selfTest: "the kernel's driver does none")
  }

  /// One sample of all axes.
  func sample() throws(SystemError) -> (Int16, Int16, Int16) {
    (try axis("x"), try axis("y"), try axis("z"))
  }

  func fault(_ error: SystemError) -> AccelerometerFault {
    AccelerometerFault(.vanished, "\(name), which the kernel reads: \(error)")
  }

  private func axis(_ axis: String) throws(SystemError) -> Int16 {
    let file = "\(path)/in_accel_\(axis)_raw"
    let bytes = try Files.read(file, sizeMax: 64)
    let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first ?? ""
    guard let value = Int(text) else { throw SystemError(.inputOutput, file) }
    return Int16(clamping: value)
  }

  private static func number(_ path: String) -> Double? { text(path).flatMap(Double.init) }

  private static func text(_ path: String) -> String? {
    guard let bytes = try? Files.read(path, sizeMax: 4_096) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}
