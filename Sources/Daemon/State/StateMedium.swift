import BinnaclePosix

/// What a directory of state is on.
enum StateMedium {
  /// Why what is written there may be gone after a power cut; nil when there is no reason to think so.
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
