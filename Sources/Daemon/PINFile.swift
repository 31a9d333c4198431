import BinnacleModel
import BinnaclePosix
import PINHash

/// The file with the hash of the board's PIN.
///
/// The service manager hands the file of root to the daemon as a credential. A daemon without credentials reads the file
/// of its own user. The file is read at each comparison, so that a new PIN of an own file counts at once.
struct PINFile {
  /// The credential of a service without a file, which the unit sets.
  private static let credentialOfNone = Array("none".utf8)

  /// A file, and whether only its owner may have access to it.
  private struct Source {
    let path: String
    let isOwn: Bool
  }

  /// The files in the order in which they count; the first one that exists decides.
  private let sources: [Source]

  /// - Parameters:
  ///   - configurationDirectory: the directory of `--config`; nil: there is no file.
  ///   - credentials: the directory of credentials; nil: the service manager has given none.
  init(
    configurationDirectory: String?,
    credentials: String? = Environment.value("CREDENTIALS_DIRECTORY")
  ) {
    // The service manager guards its credentials by access lists, which a mode does not show.
    sources = [(credentials, false), (configurationDirectory, true)].compactMap {
      directory, isOwn in
      directory.map { Source(path: "\($0)/\(PINHash.fileName)", isOwn: isOwn) }
    }
  }

  /// Compares a PIN with the hash.
  func verdict(on pin: Secret) -> PINVerdict {
    for source in sources where Files.exists(source.path) {
      guard !source.isOwn || PINFile.isPrivate(source.path),
        let bytes = try? Files.read(source.path, sizeMax: 1_024)
      else { return .unreadable }
      if bytes.isEmpty || bytes == PINFile.credentialOfNone { return .unset }
      guard let hash = PINHash(file: bytes) else { return .unreadable }
      return hash.matches(pin) ? .right : .wrong
    }
    return .unset
  }

  /// Whether no other user can have written or read a file.
  private static func isPrivate(_ path: String) -> Bool {
    guard let status = try? Files.status(of: path) else { return false }
    return status.kind == .file && status.mode & 0o077 == 0
      && [0, Environment.userID].contains(status.userID)
  }
}
