/// Facts about a machine for several checks, read once.
struct Machine {
  let view: any MachineView
  /// The device tree's `compatible` names of the board, the most specific first; empty on a PC.
  let compatible: [String]
  let model: RaspberryPi?
  let boot: BootConfiguration?
  let users: UserTable
  let processes: ProcessTable
  let mounts: MountTable
  /// The daemon's unit; nil if it is not installed.
  let unit: ServiceUnit?

  init(_ view: any MachineView) {
    self.view = view
    compatible = view.pieces(of: "/proc/device-tree/compatible")
    model = RaspberryPi(compatible: compatible)
    boot = model.flatMap { BootConfiguration(of: view, model: $0) }
    users = UserTable(of: view)
    processes = ProcessTable(of: view)
    mounts = MountTable(of: view)
    unit = ServiceUnit(of: view)
  }

  /// The user who runs the command.
  var person: EffectiveUser { EffectiveUser(person: self) }

  /// The board's name for people.
  var name: String {
    let model = view.pieces(of: "/proc/device-tree/model").first
    return model ?? (compatible.first ?? "this machine")
  }

  /// The path of config.txt, whether the file exists or not.
  var bootPath: String { boot?.path ?? "/boot/firmware/config.txt" }

  /// The command that adds requirements to config.txt; nil if the file has all of them and only a restart is missing.
  func bootMend(_ requirements: [RaspberryPi.Requirement]) -> String? {
    let missing = requirements.filter { requirement in
      if case .counts = boot?.standing(of: requirement) { return false }
      return true
    }
    if missing.isEmpty { return nil }
    let lines = missing.map { $0.line + "\\n" }.joined()
    return "printf '\\n[all]\\n\(lines)' | sudo tee -a \(bootPath) && sudo reboot"
  }

  /// The reason in config.txt why requirements have no effect, as part of a sentence.
  func bootReason(_ requirements: [RaspberryPi.Requirement]) -> String {
    guard let boot else { return "\(bootPath) cannot be read" }
    for requirement in requirements {
      switch boot.standing(of: requirement) {
      case .counts: continue
      case .heldBack(let line, let filter):
        return "\(requirement.line) stands in \(line.file):\(line.number), but below [\(filter)]"
      case .overridden(let line): return "\(line.file):\(line.number) says \(line.text)"
      case .absent: return "\(boot.path) does not say \(requirement.line)"
      }
    }
    return "\(boot.path) asks for it, but the board was not restarted since or does not read it"
  }
}
