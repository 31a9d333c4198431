import BinnaclePosix

/// The sentence for a program that cannot be run: the file, the fault, and the remedy.
struct StartFault: CustomStringConvertible {
  var failure: ChildFailure
  /// The absolute path of the program.
  var program: String
  /// The working directory.
  var directory: String
  /// The name of the app's user.
  var user: String
  /// The file that names the program.
  var manifest: String
  /// The architecture of this system's programs; nil if it is unknown.
  var architecture: ProgramHead.Architecture?

  var description: String {
    switch failure.step {
    case .program: ofProgram
    case .user:
      failure.errno == .wouldBlock
        ? "user \(user) has as many processes as the user may have: end some, or raise the limit"
        : "the launcher may not become user \(user): \(failure.errno); start the launcher by its unit binnacle-launch"
    case .directory: "user \(user) may enter neither \(directory) nor /: \(failure.errno)"
    case .descriptors:
      "the standard streams of \(program) cannot be opened: \(failure.errno)"
    case .session: "\(program) gets no session of its own: \(failure.errno)"
    }
  }

  private var ofProgram: String {
    switch failure.errno {
    case .argumentsTooLong:
      return "the arguments of \(program) are too long: shorten Arguments= in \(manifest)"
    case .textFileBusy:
      return "\(program) is being written at this moment: start the app when the file is complete"
    case .wouldBlock, .noMemory:
      return "\(program) cannot be run now: \(failure.errno); end other programs"
    case _: break
    }
    if let obstacle = failure.obstacle { return text(of: obstacle) }
    guard let file = failure.file else { return "\(program) cannot be run: \(failure.errno)" }
    return text(of: file)
  }

  private func text(of obstacle: ChildFailure.Obstacle) -> String {
    let place = obstacle.path
    let correction = "install the program, or correct Executable= in \(manifest)"
    switch obstacle.errno {
    case .noSuchFile where place == program:
      return isLink(program)
        ? "\(program) is a symbolic link to a file that does not exist: \(correction)"
        : "\(program) does not exist: \(correction)"
    case .noSuchFile:
      return "\(program) does not exist, because there is no directory \(place): \(correction)"
    case .notADirectory:
      return
        "\(program) does not exist, because \(place) is not a directory: \(correction)"
    case .accessDenied where place != program:
      return
        "user \(user) may not enter the directory \(place), so that \(program) cannot be run: 'chmod o+x \(place)', "
        + "or install the program elsewhere, such as in /usr/local/lib"
    case .tooManyLinks:
      return "\(place) is a symbolic link that leads to itself: \(correction)"
    case _: return "\(place) cannot be looked up: \(obstacle.errno)"
    }
  }

  private func isLink(_ path: String) -> Bool {
    (try? Files.status(of: path, followingLinks: false))?.kind == .symbolicLink
  }

  private func text(of file: ChildFailure.File) -> String {
    guard file.kind == .file else {
      return
        "\(program) is \(file.kind.inWords), not a program: correct Executable= in \(manifest)"
    }
    guard file.isExecutable else {
      return "user \(user) may not execute \(program): 'chmod a+x \(program)'"
    }
    if file.isNoexec {
      return
        "\(program) is on a file system that is mounted with noexec: install the program elsewhere, such as in /usr/local/lib"
    }
    switch ProgramHead(file.head) {
    case .script(let interpreter): return text(ofScriptWith: interpreter)
    case .binary(let binary): return text(of: binary)
    case .empty:
      // A file that the user may not read is empty here, too.
      return failure.errno == .noExecutable
        ? "\(program) is empty, or user \(user) may not read it: install the program again, or 'chmod a+r \(program)'"
        : "\(program) cannot be run: \(failure.errno)"
    case .other:
      return
        "\(program) is neither a program nor a script: a script needs a first line such as #!/bin/sh"
    }
  }

  private func text(ofScriptWith interpreter: String) -> String {
    if interpreter.hasSuffix("\r") {
      return
        "the lines of \(program) end with a carriage return, so that its interpreter is not found: \"sed -i 's/\\r$//' \(program)\""
    }
    if interpreter.isEmpty {
      return
        "the first line of \(program) names no interpreter: write one there, such as #!/bin/sh"
    }
    let correction = "or correct the first line of \(program)"
    return switch failure.errno {
    case .noSuchFile:
      "\(interpreter), the interpreter of \(program), does not exist: install it, \(correction)"
    case .accessDenied:
      "user \(user) may not execute \(interpreter), the interpreter of \(program): 'chmod a+x \(interpreter)', \(correction)"
    case .noExecutable:
      "\(interpreter), the interpreter of \(program), is no program for this system: install it again, \(correction)"
    case _: "\(program), whose interpreter is \(interpreter), cannot be run: \(failure.errno)"
    }
  }

  private func text(of binary: ProgramHead.Binary) -> String {
    let remedy = "build the program on this board, or for it"
    if failure.errno == .noSuchFile {
      let loader = binary.loader.map { "the loader \($0)" } ?? "a loader"
      return "\(program) needs \(loader), which this system does not have: \(remedy)"
    }
    if let architecture, architecture != binary.architecture {
      return
        "\(program) is a program for \(binary.architecture), and this system runs programs for \(architecture): \(remedy)"
    }
    return "\(program) cannot be run: \(failure.errno); install the program again"
  }
}
