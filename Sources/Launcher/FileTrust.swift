import BinnaclePosix

/// Checks that only trusted users can change a file: a person who can write a manifest can run programs as its user.
struct FileTrust: Equatable {
  /// The users whose files are trusted.
  let userIDs: [UInt32]

  /// Root; for a launcher without the right to change users also its own user.
  init(mayChangeUser: Bool, userID: UInt32) {
    userIDs = mayChangeUser ? [0] : [0, userID]
  }

  /// The reason why a file or directory may be changed by another user; nil if it is trusted.
  ///
  /// All directories above are checked, too, and the target of a symbolic link.
  func refusal(of path: String) -> String? {
    do throws(SystemError) {
      let resolved = try Files.resolve(path)
      let folder = try Files.resolve(Files.parent(of: path))
      if let refusal = try refusal(ofResolved: resolved) { return refusal }
      return try refusal(ofResolved: folder)
    } catch {
      return "\(error)"
    }
  }

  private func refusal(ofResolved path: String) throws(SystemError) -> String? {
    var place = path
    while true {
      let status = try Files.status(of: place, followingLinks: false)
      guard userIDs.contains(status.userID) else {
        return "\(place) belongs to user \(status.userID): \(advice); 'sudo chown root \(place)'"
      }
      // In a directory with the sticky bit, such as /tmp, others cannot replace the files of a trusted user.
      let isSticky = status.kind == .directory && status.mode & 0o1000 != 0 && place != path
      guard status.mode & 0o022 == 0 || isSticky else {
        return "\(place) can be written to by other users: \(advice); 'sudo chmod go-w \(place)'"
      }
      if place == "/" { return nil }
      place = Files.parent(of: place)
    }
  }

  private var advice: String {
    userIDs == [0]
      ? "only root may be able to change the manifests of apps"
      : "only root and user \(userIDs.last ?? 0) may be able to change the manifests of apps"
  }
}
