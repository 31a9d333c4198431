import BinnacleBasics
import BinnacleModel

/// Checks the directory of the daemon's stored state, and the machine's clock.
extension Examination {
  /// The value that the daemon reports for a key; nil if a profile was asked for.
  private func reported(_ key: ReportKey<String>) -> String? {
    guard inquiry.board == nil, inquiry.configurationDirectory == nil,
      case .report(let report) = inquiry.daemon
    else { return nil }
    return report[key]
  }

  mutating func examineState() {
    let directory =
      reported(.stateDirectory) ?? profile?.board.stateDirectory ?? option("--state", asked: nil)
      ?? inquiry.stateDirectory
    // With a log on a partition, the directory has the lock, the tracks and the copies of damaged logs.
    let place = reported(.statePartition) ?? directory
    if case .report(let report) = inquiry.daemon, let damage = report[.stateDamage] {
      let mend = LossAcceptance.command(daemonUserID: report[.daemonUserID])
      findings.append(.fault(.stateDamaged, place, damage, mend: mend))
    }
    examineStateMedium(directory)
    examineKeeping(place)
  }

  /// Reports that the running daemon cannot write its state or the mark of its log, unless a finding about the directory
  /// says why.
  private mutating func examineKeeping(_ place: String) {
    guard case .report(let report) = inquiry.daemon,
      !findings.contains(where: { $0.name == .stateRefused })
    else { return }
    let problem: String
    if report[.stateKept] == false, let fault = report[.stateFault] {
      problem = "the daemon keeps no state: \(fault)"
    } else if let fault = report[.stateMarkFault] {
      problem = "a loss may be reported: \(fault)"
    } else {
      return
    }
    findings.append(
      .fault(
        .stateRefused, place, problem,
        mend: problem.contains("no space")
          ? "free some space on its disk: df -h \(place)"
          : "ls -la \(place), and errors of its disk: sudo dmesg; "
            + "then sudo systemctl restart binnacled"
      ))
  }

  private mutating func examineStateMedium(_ directory: String) {
    let place = view.resolved(directory) ?? directory
    guard let mount = machine.mounts.mount(of: place) else { return }
    // The data of a virtual board is simulated, so its loss does no harm.
    if !isVirtual, let medium = forgetfulMedium(mount) {
      findings.append(
        .fault(
          .stateForgotten, directory,
          "it is on \(medium): what the daemon keeps is gone after a restart",
          mend: mount.type == "overlay" && machine.model != nil
            ? "sudo raspi-config nonint do_overlayfs 1 && sudo reboot, or mount a partition at \(directory)"
            : "mount a partition at \(directory), or name another directory with --state"))
    } else if mount.isReadOnly {
      findings.append(
        .fault(
          .stateRefused, directory, "the file system at \(mount.point) is read-only",
          mend: mount.point == "/"
            ? "sudo mount -o remount,rw /, and look for errors with: sudo dmesg | grep -i ext4"
            : "sudo mount -o remount,rw \(mount.point), and 'rw' for it in /etc/fstab"))
    } else if let node = view.node(at: directory), !servant.mayUse(node) {
      findings.append(
        .fault(
          .stateRefused, directory,
          "it belongs to user \(machine.users.name(ofUser: node.userID)), and user \(servant.name) may not "
            + "write there", mend: "sudo chown -R \(servant.name): \(directory)"))
    }
  }

  /// The medium that loses its data at a restart, in words; nil for a persistent medium.
  private func forgetfulMedium(_ mount: MountTable.Mount) -> String? {
    switch mount.type {
    case "tmpfs", "ramfs": return "a file system in memory (\(mount.type) at \(mount.point))"
    case "overlay":
      let upper = mount.upperDirectory.flatMap { machine.mounts.mount(of: $0) }
      if let upper, upper.point != "/", ["tmpfs", "ramfs"].contains(upper.type) {
        return "an overlay whose upper layer is in memory (\(upper.type) at \(upper.point))"
      }
      // An overlay from before the root was mounted has an invisible upper layer, but the kernel's command line shows
      // the overlay.
      let words = (view.text(of: "/proc/cmdline") ?? "").split { $0 == " " || $0 == "\n" }
      let isTold = words.contains { $0 == "boot=overlay" || $0.hasPrefix("overlayroot=tmpfs") }
      return mount.point == "/" && isTold ? "an overlay whose upper layer is in memory" : nil
    default: return nil
    }
  }

  mutating func examineClock() {
    if view.time < Release.day {
      findings.append(
        .fault(
          .clockNotSet, "clock",
          "it shows \(view.time.rfc3339(fractionDigits: 0)), which is earlier than the date of this release",
          mend:
            "sudo timedatectl set-ntp true, or without a network: sudo date -s 'YYYY-MM-DD HH:MM:SS'"
        ))
    } else if !view.isClockSynchronized, view.names(in: "/sys/class/rtc").isEmpty {
      findings.append(
        .note(
          .clockWithoutBattery, "clock",
          "it is not synchronized, and there is no clock that runs without power: recorded times "
            + "may be hours wrong until the network sets the clock"))
    }
  }
}
