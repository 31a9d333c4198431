import BinnacleBasics
import BinnacleModel
import LaunchWire
import LocationEngine

/// All around the daemon: the launcher, the kernel's processes, the programs, and the faults of the plan.
extension LifeBoard {
  mutating func happen(_ item: Item) {
    switch item {
    case .plan(let action): happen(action)
    case .fix: takeFix()
    case .memory: readMemory()
    case .contact(let isPressed):
      if let event = panel.contact(SimulatedPanel.home, isPressed: isPressed, at: now) {
        deliver(event)
      }
    case .event(let event, let number): if number == daemon { deliver(event) }
    case .line(let order, let line, let number):
      guard number == daemon, isDaemonRunning, let event = panel.take(order, of: line) else {
        return
      }
      deliver(event)
    case .request(let request, let number):
      guard number == link.number, link.isConnected, var running = launcher else { return }
      running.take(request, &processes, at: now)
      launcher = running
      if case .attend = request.kind { unattendedSince = nil }
    case .report(let report, let number):
      guard number == link.number, link.isConnected else { return }
      for event in link.take(report) { deliver(event) }
    case .program(let process, let step): take(step, of: process)
    case .noticed(let end):
      guard var running = launcher else { return }
      running.processEnded(end.process, end.ending, &processes)
      launcher = running
    case .gone(let client, let number): if number == daemon { deliver(.disconnected, of: client) }
    case .startDaemon: startDaemon()
    case .stopDaemon(let number, let limit, let time):
      if number == daemon, isDaemonRunning { stopDaemon(by: limit, absentFor: time) }
    case .startLauncher: startLauncher()
    case .connect: connect()
    case .lost(let number):
      guard number == link.number, link.isConnected else { return }
      let wasAttended = link.isAttended
      for event in link.lose() { deliver(event) }
      if wasAttended, ledger.isSuspendedInVain {
        check("an app counts as suspended although the launcher has let it continue at its stop")
      }
      connect()
    }
  }

  private mutating func stopDaemon(by limit: Instant, absentFor time: Interval) {
    guard engine.outlook.isStateSettled || now >= limit else {
      return agenda.add(
        .stopDaemon(daemon: daemon, limit: limit, absentFor: time), at: now + .milliseconds(1))
    }
    endDaemon()
    agenda.add(.startDaemon, at: now + .milliseconds(100) + time)
  }

  // MARK: The launcher

  private mutating func startLauncher() {
    guard launcher == nil else { return }
    remark("the launcher starts")
    let seed = random.next()
    launcher = SimulatedLauncher(
      LifeCrowd.manifests.map(\.identifier), after: records, flaw: flaw, random: Random(seed: seed),
      &processes, at: now)
    unattendedSince = now
    // The socket of a launcher is noticed by its name.
    agenda.add(.connect, at: now + .milliseconds(5))
  }

  private mutating func connect() {
    guard isDaemonRunning, !link.isConnected else { return }
    guard launcher != nil else { return }
    send(.request(link.connect(), connection: link.number))
  }

  /// The launcher ends: its connection is lost, and its apps go on.
  private mutating func endLauncher(isStopped: Bool, absentFor time: Interval) {
    guard var running = launcher else { return }
    if isStopped {
      running.stop(&processes)
      ledger.launcherStopped()
      for report in running.takeReports() { send(.report(report, connection: link.number)) }
    }
    let starts = running.die()
    records = running.records
    launcher = nil
    unattendedSince = nil
    for start in starts { carryOut(crowd.started(start.process, start.app, isByHand: false)) }
    if isStopped, processes.processes.contains(where: \.isFrozen) {
      check("an app stays frozen after the stop of the launcher")
    }
    // The last reports arrive before the end of the connection.
    agenda.add(.lost(connection: link.number), at: max(wireAt, now + .microseconds(500)))
    agenda.add(.startLauncher, at: now + time)
  }

  // MARK: The plan

  private mutating func happen(_ action: LifePlan.Action) {
    remark("\(action)")
    switch action {
    case .killDaemon(let time):
      endDaemon()
      agenda.add(.startDaemon, at: now + time)
    case .stopDaemon(let time):
      deliver(.stopRequested)
      // The limit of the daemon's loop.
      stopDaemon(by: now + .seconds(20), absentFor: time)
    case .killLauncher(let time): endLauncher(isStopped: false, absentFor: time)
    case .stopLauncher(let time): endLauncher(isStopped: true, absentFor: time)
    case .cutPower(let seed):
      endDaemon(isPowerCut: seed)
      launcher = nil
      unattendedSince = nil
      records = []
      processes.removeAll()
      crowd.removeAll()
      held = []
      frozen = []
      agenda.add(.startDaemon, at: now + .milliseconds(1_000))
      agenda.add(.startLauncher, at: now + .milliseconds(900 + draw(400)))
    case .shortenMemory(let time): memoryShortUntil = now + time
    case .breakLamp(let fault, let time):
      guard panel.fault == nil else { return }
      if let event = panel.breaks(fault) { deliver(event) }
      agenda.add(.plan(.mendLamp), at: now + time)
    case .mendLamp: if let event = panel.breaks(nil) { deliver(event) }
    case .command(let request): command(request)
    case .home(let time):
      agenda.add(.contact(isPressed: true), at: now)
      agenda.add(.contact(isPressed: false), at: now + time)
    case .startByHand(let app, let hasTerminal):
      guard !processes.processes.contains(where: { $0.app == app }) else { return }
      let process = processes.start(app, in: nil)
      terminals = hasTerminal ? terminals + [process] : terminals
      carryOut(crowd.started(process, app, isByHand: true))
    case .kill(let app):
      if let process = processes.processes.first(where: { $0.app == app }) {
        processes.end(process.id, .killed(signal: 9))
      }
    }
  }

  // MARK: Programs

  mutating func carryOut(_ deeds: [LifeCrowd.Deed]) {
    for deed in deeds {
      switch deed {
      case .event(let client, let event): deliver(event, of: client)
      case .later(let process, let step, let wait):
        agenda.add(.program(process, step), at: now + wait)
      case .end(let process, let signal):
        processes.end(process, signal.map { .killed(signal: $0) } ?? .exited(status: 0))
      case .fork(let parent):
        guard let before = processes.process(parent) else { continue }
        let process = processes.start(before.app, in: before.group)
        carryOut(crowd.forked(process, from: parent))
      }
    }
  }

  private mutating func take(_ step: LifeCrowd.Step, of process: Int32) {
    guard let found = processes.process(process) else { return }
    guard !found.isFrozen else { return held.append((process, step)) }
    if step == .connect {
      guard isDaemonRunning else { return }
      // The daemon waits until the launcher has reported the apps that run.
      if link.isConnected, !link.isAttended {
        return agenda.add(.program(process, step), at: now + .milliseconds(20))
      }
    }
    let identifier = LifeCrowd.manifests[found.app].identifier
    let isLaunched = found.group != nil && link.knows(identifier)
    let hasTerminal = terminals.contains(process)
    carryOut(
      crowd.take(step, of: process) { program in
        Peer(
          userID: 1_001 + UInt32(program.app), processID: program.process,
          app: .listed(identifier), hasTerminal: hasTerminal,
          file: ProgramFile(
            device: 1, number: UInt64(70 + program.app), changeTimeNanoseconds: 1),
          isLaunched: isLaunched)
      })
  }

  // MARK: Consequences

  /// Carries out what the last step has caused in the kernel and in the launcher.
  mutating func follow() {
    for end in processes.takeEnds() {
      remark("process \(end.process.id) of app \(end.process.app) ends: \(end.ending)")
      held.removeAll { $0.process == end.process.id }
      frozen.removeAll { $0 == end.process.id }
      if let client = crowd.ended(end.process.id) {
        agenda.add(.gone(client, daemon: daemon), at: now + .microseconds(100 + draw(2_000)))
      }
      guard end.process.group != nil else { continue }
      agenda.add(.noticed(end), at: now + .microseconds(100 + draw(3_000)))
    }
    for start in launcher?.takeStarts() ?? [] {
      let others = processes.processes.contains {
        $0.app == start.app && $0.group != nil
          && $0.group != processes.process(start.process)?.group
      }
      if others { check("an app runs twice: \(LifeCrowd.manifests[start.app].identifier)") }
      carryOut(crowd.started(start.process, start.app, isByHand: false))
    }
    for process in launcher?.takeTerminated() ?? [] { carryOut(crowd.terminated(process)) }
    for report in launcher?.takeReports() ?? [] {
      send(.report(report, connection: link.number))
    }
    resumeProcesses()
  }

  /// Lets the processes go on that are not frozen any more.
  private mutating func resumeProcesses() {
    let now = now
    let frozenNow = processes.processes.filter(\.isFrozen).map(\.id)
    guard frozenNow != frozen else { return }
    let resumed = frozen.filter { !frozenNow.contains($0) }
    frozen = frozenNow
    for process in resumed {
      let isAwake = crowd.resumed(process)
      if !isAwake, let client = crowd.program(process)?.client {
        agenda.add(.gone(client, daemon: daemon), at: now + .seconds(3))
      }
      for one in held where one.process == process {
        agenda.add(.program(process, one.step), at: now + .microseconds(500 + draw(200_000)))
      }
      held.removeAll { $0.process == process }
    }
  }

  /// Checks the promises that the launcher keeps alone.
  mutating func checkFrozen() {
    if frozen.isEmpty { return }
    if let since = unattendedSince, now > since + .seconds(61) {
      check("an app stays frozen without a daemon")
    }
    for (app, account) in ledger.accounts.enumerated() {
      guard case .frozen = account.process, isDaemonRunning, launcher != nil else { continue }
      if processes.processes.contains(where: { $0.app == app && $0.group != nil && !$0.isFrozen }) {
        check("an app is suspended in part: \(LifeCrowd.manifests[app].identifier)")
      }
    }
  }
}
