/// Which target may use which: the picture in `Docs/DESIGN.md` as a table.
enum Architecture {
  struct Target {
    var name: String
    var uses: [String]
    var kind: Kind
  }

  enum Kind {
    /// The standard library and the named targets only.
    case pure
    /// Linux, without Foundation and Dispatch.
    case linux
    /// A library that apps link; it may use Foundation.
    case app
  }

  static let targets: [Target] = [
    Target(name: "Basics", uses: [], kind: .pure),
    Target(name: "Model", uses: ["Basics"], kind: .pure),
    Target(name: "UBX", uses: ["Basics", "Model"], kind: .pure),
    Target(name: "Geodesy", uses: ["Basics"], kind: .pure),
    Target(name: "Wire", uses: ["Basics", "Model"], kind: .pure),
    Target(name: "Accelerometers", uses: ["Basics", "I2C"], kind: .pure),
    Target(name: "Motion", uses: ["Basics"], kind: .pure),
    Target(name: "VirtualWire", uses: ["Basics", "I2C"], kind: .pure),
    Target(name: "Board", uses: ["Basics", "Model"], kind: .pure),
    Target(name: "I2C", uses: ["Basics"], kind: .pure),
    Target(name: "Diagnosis", uses: ["Basics", "Model", "Board"], kind: .pure),
    Target(name: "Text", uses: ["Basics", "Model"], kind: .pure),
    Target(name: "Drawing", uses: ["Basics", "Model", "Geodesy", "Text"], kind: .pure),
    Target(name: "LiveView", uses: ["Basics", "Model", "Text"], kind: .pure),
    Target(name: "NMEA", uses: ["Basics", "Model"], kind: .pure),
    Target(name: "StateLog", uses: ["Basics"], kind: .pure),
    Target(
      name: "LocationEngine",
      uses: ["Basics", "Model", "UBX", "Accelerometers", "Motion", "StateLog"],
      kind: .pure),
    Target(
      name: "Simulation",
      uses: [
        "Basics", "Model", "UBX", "I2C", "Accelerometers", "Motion", "VirtualWire", "StateLog",
        "LocationEngine", "LaunchWire",
      ],
      kind: .pure),
    Target(name: "CPosix", uses: [], kind: .linux),
    Target(name: "Posix", uses: ["Basics", "CPosix"], kind: .linux),
    Target(name: "Client", uses: ["Basics", "Wire", "Posix"], kind: .linux),
    Target(name: "Verbs", uses: ["Basics", "Posix"], kind: .linux),
    Target(name: "CEdit", uses: [], kind: .linux),
    Target(
      name: "Console",
      uses: [
        "Basics", "Model", "Wire", "Posix", "Client", "Text", "LiveView", "Verbs", "CEdit",
      ], kind: .linux),
    Target(name: "CCrypt", uses: [], kind: .linux),
    Target(name: "PINHash", uses: ["Model", "CCrypt"], kind: .linux),
    Target(name: "CGPIO", uses: [], kind: .linux),
    Target(name: "CI2C", uses: [], kind: .linux),
    Target(name: "CZlib", uses: [], kind: .linux),
    Target(name: "Gzip", uses: ["CZlib"], kind: .linux),
    Target(
      name: "Devices",
      uses: [
        "Basics", "Model", "Board", "I2C", "Accelerometers", "VirtualWire", "StateLog", "Posix",
        "CGPIO", "CI2C",
      ],
      kind: .linux),
    Target(
      name: "Daemon",
      uses: [
        "Basics", "Model", "Wire", "VirtualWire", "Board", "I2C", "Accelerometers", "StateLog",
        "LocationEngine", "NMEA", "Posix", "Devices", "Manifests", "Verbs", "LaunchWire",
        "PINHash",
      ],
      kind: .linux),
    Target(name: "LaunchWire", uses: ["Basics"], kind: .pure),
    Target(name: "Manifests", uses: ["Board", "Posix"], kind: .linux),
    Target(
      name: "Launcher", uses: ["Basics", "Board", "LaunchWire", "Manifests", "Posix", "Verbs"],
      kind: .linux),
    Target(
      name: "binnacle-launch", uses: ["Basics", "Model", "Posix", "Launcher"], kind: .linux),
    Target(name: "binnacled", uses: ["Basics", "Model", "Daemon", "Posix"], kind: .linux),
    Target(
      name: "binnacle",
      uses: [
        "Basics", "Model", "UBX", "Wire", "VirtualWire", "Board", "I2C", "Accelerometers",
        "StateLog", "LocationEngine", "Diagnosis", "Text", "Drawing", "Posix", "Client", "Verbs",
        "Gzip", "Console", "Devices", "PINHash",
      ], kind: .linux),
    Target(
      name: "binnacle-sim",
      uses: [
        "Basics", "Model", "UBX", "I2C", "Accelerometers", "Motion", "VirtualWire", "StateLog",
        "LocationEngine", "Posix", "Verbs", "Gzip", "Simulation",
      ],
      kind: .linux),
    Target(name: "CBinnacle", uses: [], kind: .linux),
    Target(
      name: "CoreLocation",
      uses: ["Basics", "Model", "Geodesy", "Wire", "Posix", "Client", "CBinnacle"], kind: .app),
    Target(name: "AppRuntime", uses: ["Model", "CoreLocation"], kind: .app),
    Target(name: "DelegateUpdates", uses: ["CoreLocation"], kind: .app),
    Target(name: "LiveUpdates", uses: ["CoreLocation", "AppRuntime"], kind: .app),
  ]

  /// The folder of a module, which is its name in the tables: modules that are seen outside of this package have a prefix.
  static func folder(ofModule module: String) -> String {
    for (prefix, kept) in [("CBinnacle", "C"), ("Binnacle", "")]
    where module.hasPrefix(prefix) && module != prefix {
      return kept + module.dropFirst(prefix.count)
    }
    return module
  }

  /// The targets of a `Package.swift` that are not for tests, with what they depend on.
  static func arrows(of manifest: String) -> [(name: String, uses: [String])] {
    let starts = ["target", "executableTarget"]
    var found: [(name: String, uses: [String])] = []
    let file = SourceFile(path: "Package.swift", text: manifest)
    var strings = file.strings[...]
    var depth = 0
    var isInTarget = false
    var isInDependencies = false
    for (index, token) in file.tokens.enumerated() {
      switch token.text {
      case "(":
        depth += 1
        let isTarget = index > 0 && starts.contains(file.tokens[index - 1].text)
        if isTarget { (isInTarget, depth) = (true, 1) }
        if isTarget { found.append((name: "", uses: [])) }
      case ")":
        depth -= 1
        if depth == 0 { isInTarget = false }
      case "dependencies": isInDependencies = true
      case "]": isInDependencies = false
      case "\"\"":
        let text = folder(ofModule: strings.removeFirst().text)
        guard isInTarget else { continue }
        if found[found.count - 1].name.isEmpty {
          found[found.count - 1].name = text
        } else if isInDependencies {
          found[found.count - 1].uses.append(text)
        }
      default: break
      }
    }
    return found
  }
}
