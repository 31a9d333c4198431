import BinnaclePosix

/// The destination of a document: a file that appears when it is whole, or standard output.
final class DocumentOutput {
  /// The name of standard output.
  static let standardOutput = "-"
  private static let pieceMax = 65_536

  private let file: DraftFile?
  private var bytes: [UInt8] = []
  private var failure: ExitStatus?

  /// Whether a path is standard output by one of its names.
  ///
  /// These names lead through links to the file behind standard output, which must not be replaced by another file.
  static func isStandardOutput(_ path: String) -> Bool {
    [standardOutput, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
  }

  /// Opens the destination; complains and returns nil if that is impossible.
  init?(_ path: String) {
    guard !DocumentOutput.isStandardOutput(path) else {
      file = nil
      return
    }
    do throws(SystemError) {
      file = try DraftFile(path)
    } catch {
      complain("\(error)")
      return nil
    }
  }

  /// Writes a text; false if nothing more can be written.
  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  /// Writes bytes; false if nothing more can be written.
  @discardableResult
  func write(_ piece: [UInt8]) -> Bool {
    bytes += piece
    return bytes.count < DocumentOutput.pieceMax || flush()
  }

  /// Writes the collected pieces.
  @discardableResult
  func flush() -> Bool {
    guard failure == nil else { return false }
    defer { bytes.removeAll(keepingCapacity: true) }
    guard let file else {
      if !bytes.isEmpty, !Output.write(bytes) { failure = .failure }
      return failure == nil
    }
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      complain("\(error); nothing was written there")
      failure = .cannotCreate
    }
    return failure == nil
  }

  /// The document is whole; returns the exit status.
  func finish() -> ExitStatus {
    guard flush() else { return failure ?? .failure }
    do throws(SystemError) {
      try file?.commit()
      return .success
    } catch {
      complain("\(error); nothing was written there")
      return .cannotCreate
    }
  }
}
