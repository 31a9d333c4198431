public import BinnacleBasics
public import LocationEngine

/// Events and effects as lines for a person.
public enum Transcript {
  /// One event with its instant.
  public static func line(_ instant: Instant, _ event: Event) -> String {
    "\(time(instant)) \(text(of: event))"
  }

  /// A remark about an event of the simulated world.
  static func remark(_ instant: Instant, _ text: String) -> String {
    "\(time(instant)) ** \(text)"
  }

  /// One effect of the event before it.
  public static func line(_ effect: Effect) -> String {
    if case .receiver(.write(let bytes)) = effect {
      return "             -> writeReceiver \(hexadecimal(bytes))"
    }
    return "             -> \(effect)"
  }

  private static func text(of event: Event) -> String {
    if case .receiver(.bytesArrived(let bytes)) = event {
      return "receiverBytesArrived \(readable(bytes))"
    }
    if case .storage(.read(let reading)) = event {
      // A set of records has no order of its own.
      let records = reading.records.entries.map { entry in
        "\(entry.name.kind) '\(String(decoding: entry.name.key, as: UTF8.self))': \(hexadecimal(entry.value))"
      }
      return
        "storageRead [\(records.joined(separator: ", "))], withheld \(reading.withheld), "
        + "obstacle \(reading.obstacle.map { "\($0)" } ?? "none")"
    }
    return "\(event)"
  }

  /// Seconds with six decimals, twelve characters wide.
  private static func time(_ instant: Instant) -> String {
    let microseconds = instant.nanoseconds / 1_000
    let seconds = String(microseconds / 1_000_000)
    let fraction = String(microseconds % 1_000_000)
    let text = seconds + "." + String(repeating: "0", count: max(0, 6 - fraction.count)) + fraction
    return String(repeating: " ", count: max(0, 12 - text.count)) + text
  }

  private static func readable(_ bytes: [UInt8]) -> String {
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0D || $0 == 0x0A }) else {
      return hexadecimal(bytes)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return "'" + text.map { $0 == "\r\n" ? "\\r\\n" : String($0) }.joined() + "'"
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let shown = bytes.prefix(120).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }
    return shown.joined(separator: " ") + (bytes.count > 120 ? " (\(bytes.count) bytes)" : "")
  }
}
