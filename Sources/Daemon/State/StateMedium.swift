import BinnaclePosix

/// The storage medium of a state directory.
enum StateMedium {
  /// The reason why a power cut may destroy written state; nil if no reason is known.
  static func warning(about directory: String) -> String? {
    switch try? FileSystem(of: directory) {
    case .memory:
      return
        "\(directory) is in memory: all stored records are lost without power; --state DIR "
        + "chooses a place on a disk"
    case .overlay:
      return
        "\(directory) is on an overlay: stored records may be lost without power; --state DIR "
        + "chooses a place on a disk"
    case .other, nil: return nil
    }
  }
}
