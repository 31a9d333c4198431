import BinnaclePosix

/// The medium of a state directory.
enum StateMedium {
  /// Why written state may be lost in a power cut; nil when no reason is known.
  static func warning(about directory: String) -> String? {
    switch try? FileSystem(of: directory) {
    case .memory:
      return
        "\(directory) is in memory: everything kept is gone when the power is; --state DIR "
        + "chooses a place on a disk"
    case .overlay:
      return
        "\(directory) is on an overlay: what is kept may be gone when the power is; --state DIR "
        + "chooses a place on a disk"
    case .other, nil: return nil
    }
  }
}
