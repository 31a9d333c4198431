/// The location of a bus: a kernel device, or the socket of a virtual board.
enum I2CPlace: Equatable, Sendable {
  /// A device such as `/dev/i2c-1`, or a link to it.
  case device(String)
  /// The path after `sim:`.
  case socket(String)

  init(_ text: String) {
    let prefix = "sim:"
    self =
      text.hasPrefix(prefix) ? .socket(String(text.dropFirst(prefix.count))) : .device(text)
  }
}
