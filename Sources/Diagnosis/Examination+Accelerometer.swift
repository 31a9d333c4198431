import BinnacleModel
public import Board

/// Checks the accelerometer: its type, and whether its samples agree with its data sheet.
extension Examination {
  /// Identifies the chip on a bus that no program reads at the moment.
  public struct AccelerometerQuestion: Equatable, Sendable {
    /// `/dev/i2c-1`, or `sim:PATH`.
    public let bus: String
    public let accelerometer: Profile.Accelerometer
  }

  /// The result of the search for the chip; the texts name the registers and values that were read.
  public enum AccelerometerAnswer: Equatable, Sendable {
    case identified(model: String, address: UInt8)
    /// No chip answers.
    case absent(String)
    /// Something answers that no driver knows.
    case stranger(String)
    /// A driver of the kernel has the address.
    case heldByKernel(String)
    /// Transfers fail or never end.
    case stuck(String)
    /// The bus could not be used.
    case failed(String)
  }

  /// Scatter of one axis, as a multiple of what the data sheet allows, above which it is worth a word.
  private static let noiseRatioMax = 5.0

  mutating func examineAccelerometer() {
    guard let profile, let accelerometer = profile.accelerometer, let bus = profile.board.bus else {
      return
    }
    let place = busPlace(bus)
    // A fault of the bus is reported already.
    let told: [Finding.Name] = [.busMissing, .busDriverMissing, .deviceRefused, .chipMissing]
    if findings.contains(where: { $0.subject == place && told.contains($0.name) }) { return }
    switch inquiry.daemon {
    case .report(let report): examineAccelerometer(in: report, place)
    case .refusal: return
    case .absence:
      if case .device(let path) = bus, let node = view.node(at: path), !machine.person.mayUse(node)
      {
        findings.append(
          .note(
            .accelerometerNotAsked, place,
            "user \(machine.person.name) may not open it, so the accelerometer was not asked who it is",
            mend: "sudo binnacle doctor"))
      } else {
        accelerometerQuestion = AccelerometerQuestion(bus: place, accelerometer: accelerometer)
      }
    }
  }

  private func busPlace(_ bus: Profile.BusSource) -> String {
    switch bus {
    case .device(let path): path
    case .simulated(let path): "sim:" + socket(path)
    }
  }

  // MARK: The daemon's report

  private mutating func examineAccelerometer(in report: Report, _ place: String) {
    guard case .text(let state) = report["accelerometer.state"] else { return }
    var fault = state
    if case .text(let text) = report["accelerometer.fault"] { fault = text }
    switch state {
    case "working": tellWorking(report, place)
    case "doubtful":
      tellWorking(report, place)
      findings.append(
        .fault(
          .accelerometerDoubtful, place, fault,
          mend:
            "take its power away for ten seconds; if it stays so, another chip, or look at the wire of "
            + "[Accelerometer] Interrupt="))
    case "failed":
      findings.append(.fault(.accelerometerFails, place, fault, mend: adviceOnWires(place)))
    default: return
    }
  }

  private mutating func tellWorking(_ report: Report, _ place: String) {
    guard case .text(let chip) = report["accelerometer.chip"] else { return }
    var subject = place
    if case .integer(let number) = report["accelerometer.address"],
      let address = UInt8(exactly: number)
    {
      subject += " address 0x\(hexadecimal(address))"
    }
    guard let deviation = number(report["accelerometer.last_deviation_mg"]) else {
      let text =
        "the accelerometer is a \(chip); its noise is measured while a program gets positions"
      findings.append(.note(.accelerometerFound, subject, text))
      return
    }
    // The report has the length over three axes, the data sheet the noise of one.
    let noise = deviation / 3.0.squareRoot()
    guard let chipNoise = number(report["accelerometer.noise_of_chip_mg"]), chipNoise > 0 else {
      let text =
        "the accelerometer is a \(chip); its samples scatter by \(tenths(noise)) mg on an axis, and there "
        + "is no figure to compare with"
      findings.append(.note(.accelerometerFound, subject, text))
      return
    }
    let measured =
      "its samples scatter by \(tenths(noise)) mg on an axis, at rest the data sheet says \(tenths(chipNoise)) mg"
    findings.append(
      noise > chipNoise * Examination.noiseRatioMax
        ? .note(
          .accelerometerNoisy, subject, "the accelerometer is a \(chip); \(measured)",
          mend:
            "look again with the board at rest; if it is so then, fasten the chip, keep fans and motors "
            + "away, and put 100 nF at its supply")
        : .note(.accelerometerFound, subject, "the accelerometer is a \(chip); \(measured)"))
  }

  private func number(_ value: Report.Value?) -> Double? {
    switch value {
    case .number(let number): number
    case .integer(let integer): Double(integer)
    case .text, .flag, nil: nil
    }
  }

  /// One digit behind the point.
  private func tenths(_ number: Double) -> String {
    let limited = min(max(number, 0), 1e9)
    let count = Int64((limited * 10).rounded())
    return "\(count / 10).\(count % 10)"
  }

  // MARK: The chip's samples

  /// Takes the answer to `accelerometerQuestion`.
  public mutating func accelerometerAnswered(_ answer: AccelerometerAnswer) {
    guard let place = accelerometerQuestion?.bus else { return }
    accelerometerQuestion = nil
    switch answer {
    case .identified(let model, let address):
      findings.append(
        .note(
          .accelerometerFound, "\(place) address 0x\(hexadecimal(address))",
          "the accelerometer is a \(model)"))
    case .absent(let text):
      findings.append(.fault(.accelerometerMissing, place, text, mend: adviceOnWires(place)))
    case .stranger(let text):
      findings.append(
        .fault(
          .accelerometerUnknown, place, text,
          mend:
            "Address= in [Accelerometer] of a drop-in of the profile says where the accelerometer is, "
            + "Chip=none that there is none"))
    case .heldByKernel(let text):
      if findings.contains(where: { $0.name == .kernelDriver && $0.severity == .note }) { return }
      findings.append(
        .note(
          .kernelDriver, place, "\(text); an accelerometer there is read by way of /sys/bus/iio"))
    case .stuck(let text):
      findings.append(
        .fault(
          .busFails, place, text,
          mend:
            "take the power of board and chips away for ten seconds; if it stays so, unplug one chip after "
            + "the other, and look for a short of SDA or SCL and for their resistors to 3.3 V"))
    case .failed(let text):
      findings.append(
        .fault(
          .busFails, place, text, mend: "I2C= in a drop-in of the profile names the right bus"))
    }
  }

  private func adviceOnWires(_ place: String) -> String {
    if place.hasPrefix("sim:") {
      return
        "binnacle-sim board with --chips lis3dh has one; or Chip=none in [Accelerometer] of the profile"
    }
    var look = ""
    if let number = place.split(separator: "-").last.flatMap({ Int($0) }), place.hasPrefix("/dev/")
    {
      look = ", 'i2cdetect -y \(number)' shows who answers"
    }
    return
      "wire its SDA, SCL, 3.3 V and ground, and its address pin as Address= says\(look); or Chip=none in "
      + "[Accelerometer] of a drop-in of the profile"
  }
}
