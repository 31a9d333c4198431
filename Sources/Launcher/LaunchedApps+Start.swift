import BinnacleBasics
import BinnaclePosix
import LaunchWire

/// The start of an app, and the take-over of apps that an earlier launcher has started.
extension LaunchedApps {
  func start(
    _ identifier: String, isForLocation: Bool, _ ticket: LaunchTicket, at now: Instant
  ) {
    do {
      let found = try programs.program(of: identifier, isForLocation: isForLocation)
      let output = try OutputPipe(making: folder.outputPath(of: identifier))
      let child = try waitingChild(found.program, output: try output.appEnd())
      do {
        let start = LaunchedApp.Start(child: child, found: found, ticket: ticket)
        let app = try noted(identifier, start, output: output)
        apps.append(app)
        news(.running(app.report))
        runLater(identifier)
      } catch {
        child.cancel()
        throw error
      }
    } catch let refusal as AppPrograms.Refusal {
      fail(ticket, refusal.text)
    } catch {
      folder.removeFiles(of: identifier)
      startFailed(identifier, ticket, "the app cannot be started: \(error)")
    }
  }

  /// Lets the program of a new app run.
  ///
  /// The server calls this after the daemon has been sent that the app runs: the program may connect to the daemon at once, and
  /// would else be unknown there as the app.
  func run(_ identifier: String) {
    guard let app = apps.first(where: { $0.identifier == identifier }),
      case .starting(let start) = app.phase
    else { return }
    do throws(Errno) {
      try start.child.run()
    } catch {
      start.child.cancel()
      app.processes.group?.remove()
      apps.removeAll { $0 === app }
      folder.removeFiles(of: identifier)
      startFailed(identifier, start.ticket, "the app cannot be started: \(error)")
    }
  }

  private func waitingChild(
    _ program: WaitingChild.Program, output: borrowing FileDescriptor
  ) throws(SystemError) -> WaitingChild {
    do throws(Errno) {
      return try WaitingChild(program, output: output)
    } catch {
      throw SystemError(error, "no process can be made for \(program.path)")
    }
  }

  /// Puts the waiting child into a group of its own, and keeps its record.
  private func noted(
    _ identifier: String, _ start: LaunchedApp.Start, output: OutputPipe
  ) throws -> LaunchedApp {
    let child = start.child
    let processID = child.process.processID
    let processes =
      group(of: identifier, for: processID)
      ?? .session(first: processID, userID: start.found.userID)
    let app = LaunchedApp(
      identifier: identifier, userID: start.found.userID, process: child.process,
      startTicks: try ProcessStatus(of: processID).startTicks, processes: processes,
      output: output, phase: .starting(start))
    do {
      try folder.keep(app.record(isFrozen: false), of: identifier)
    } catch {
      child.cancel()
      processes.group?.remove()
      throw error
    }
    return app
  }

  /// The control group of an app with its first process; nil if none can be made.
  private func group(of identifier: String, for processID: Int32) -> AppProcesses? {
    guard let place else { return nil }
    do {
      let group = try place.makeGroup(of: identifier)
      do {
        try group.add(processID)
        guard let name = group.name(shownFor: processID) else { throw Errno.noSuchProcess }
        return .controlGroup(group, name: name)
      } catch {
        group.remove()
        throw error
      }
    } catch {
      complain("\(identifier): it gets no control group, signals replace it: \(error)")
      return nil
    }
  }

  /// Takes over the apps that run, and cleans up after the apps that have ended.
  func takeOver() {
    for identifier in folder.identifiers {
      guard let record = folder.record(of: identifier) else {
        complain("\(identifier): its record is damaged and was removed")
        folder.removeFiles(of: identifier)
        continue
      }
      do throws(AppPrograms.Refusal) {
        if let app = try app(identifier, by: record) {
          apps.append(app)
          if record.isFrozen { freezeAgain(app) }
        } else {
          cleanUp(identifier, record)
        }
      } catch {
        complain(
          "\(identifier): process \(record.processID) is not taken over, and runs on: \(error.text)"
        )
        release(identifier, record)
        folder.removeFiles(of: identifier)
      }
    }
  }

  /// The app of a record; nil if its first process has ended.
  ///
  /// - Throws: why the first process may not be one of the app.
  private func app(
    _ identifier: String, by record: LaunchRecord
  ) throws(AppPrograms.Refusal) -> LaunchedApp? {
    guard record.bootID == ProcessStatus.bootID,
      let process = try? ProcessHandle(processID: record.processID),
      let status = try? ProcessStatus(of: record.processID),
      status.startTicks == record.startTicks, process.isAlive
    else { return nil }
    return LaunchedApp(
      identifier: identifier, userID: record.userID, process: process,
      startTicks: record.startTicks, processes: try processes(of: identifier, record),
      output: OutputPipe(opening: folder.outputPath(of: identifier)), phase: .running)
  }

  /// The processes of a record whose first process runs.
  ///
  /// The daemon has the user of the launcher, so a daemon that is taken over can write records. A record therefore gives power
  /// only over the processes of a control group that the launcher has made for the app, or without control groups over those of
  /// the user of the app's manifest.
  ///
  /// - Throws: why the first process may not be one of the app.
  private func processes(
    of identifier: String, _ record: LaunchRecord
  ) throws(AppPrograms.Refusal) -> AppProcesses {
    let userID = try programs.program(of: identifier, isForLocation: false).userID
    let first = record.processID
    guard record.userID == userID, ProcessStatus.userID(of: first) == userID else {
      throw .init(text: "its user is not user \(userID) of the manifest")
    }
    if place == nil, record.group == nil { return .session(first: first, userID: userID) }
    guard let group = openGroup(of: identifier, record), group.contains(first),
      let name = group.name(shownFor: first)
    else { throw .init(text: "it is in no control group that the launcher makes for the app") }
    return .controlGroup(group, name: name)
  }

  /// The group of a record, if it is one that the launcher makes for the app; another group may have the path by now.
  private func openGroup(of identifier: String, _ record: LaunchRecord) -> ControlGroup? {
    guard let kept = record.group, place?.makes(kept.directory, for: identifier) == true,
      let group = try? ControlGroup(path: kept.directory), group.identity == kept.identity
    else { return nil }
    return group
  }

  /// An earlier launcher may have ended between the record and the fact.
  private func freezeAgain(_ app: LaunchedApp) {
    do throws(SystemError) {
      _ = try app.processes.freeze()
      app.freezing = .frozen
    } catch {
      complain("\(app.identifier): it cannot be frozen: \(error)")
      try? app.processes.thaw()
    }
  }

  /// Ends the other processes of an app whose first process has ended without a launcher.
  private func cleanUp(_ identifier: String, _ record: LaunchRecord) {
    if record.bootID == ProcessStatus.bootID {
      if let group = openGroup(of: identifier, record) {
        group.kill()
        group.remove()
      } else {
        release(identifier, record)
      }
    }
    folder.removeFiles(of: identifier)
  }

  /// Lets the processes of a record continue.
  ///
  /// The number of an ended session may be used by other processes, and to be continued harms none.
  private func release(_ identifier: String, _ record: LaunchRecord) {
    guard record.isFrozen else { return }
    if record.group != nil {
      try? openGroup(of: identifier, record)?.setFrozen(false)
    } else {
      try? AppProcesses.session(first: record.processID, userID: record.userID).thaw()
    }
  }
}
