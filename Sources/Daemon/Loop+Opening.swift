import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Devices
import I2C

/// The parts that the loop opens at its start.
extension Loop {
  /// The additional doors of the profile.
  static func furtherDoors(_ settings: Settings, _ numbers: ClientNumbers) -> [any Door] {
    settings.doors.map { StreamDoor($0, numbers: numbers) }
  }

  static func coreLocationDoor(
    _ settings: Settings, _ numbers: ClientNumbers, _ launcher: LauncherConnection,
    _ log: LogRing
  ) throws(StartFailure) -> CoreLocationDoor {
    let clients = ClientTable(
      listener: try Directories.listen(
        in: settings.runtimeDirectory, isForEveryUser: settings.isForEveryUser),
      places: ClientPlaces(settings.engine.clients),
      numbers: numbers,
      operators: Operators(ownerID: settings.isForEveryUser ? nil : Environment.userID),
      console: settings.engine.console, apps: AppRegistry(settings.apps), launcher: launcher)
    return CoreLocationDoor(
      clients, socketWatch: SocketWatch(directory: settings.runtimeDirectory), log: log,
      settings: SettingRows.rows(of: settings.profile?.settings ?? []),
      pins: PINFile(configurationDirectory: settings.configurationDirectory))
  }

  static func startLogWriter(
    _ settings: Settings, _ state: StateDirectory
  ) throws(StartFailure) -> LogWriter<StateStore> {
    do throws(Errno) {
      return try LogWriter(
        StateStore(
          directory: settings.stateDirectory, partition: settings.statePartition,
          owner: settings.boardNumber, claimed: state), first: [.open])
    } catch {
      throw StartFailure(.internalError, "the log of state has no thread: \(error)")
    }
  }

  static func startTracks(
    _ settings: Settings, _ state: StateDirectory
  ) throws(StartFailure) -> LogWriter<TrackStore> {
    do throws(Errno) {
      return try LogWriter(
        TrackStore(
          directory: settings.stateDirectory, owner: settings.boardNumber,
          isKept: settings.engine.track != nil, claimed: state), first: [])
    } catch {
      throw StartFailure(.internalError, "the log of tracks has no thread: \(error)")
    }
  }

  static func group(_ descriptors: [Int32]) throws(StartFailure) -> PollGroup {
    do throws(Errno) {
      return try PollGroup(descriptors)
    } catch {
      throw StartFailure(.internalError, "descriptors cannot be watched: \(error)")
    }
  }

  static func openBus(_ settings: Settings) throws(StartFailure) -> I2CBus? {
    guard let path = settings.busPath,
      settings.receiverAddress != nil || settings.accelerometer != nil
    else { return nil }
    do throws(Errno) {
      return try I2CBus(path: path)
    } catch {
      throw StartFailure(.internalError, "the I2C bus has no thread: \(error)")
    }
  }

  static func receiver(_ settings: Settings, _ bus: I2CBus?) -> ReceiverLine {
    if let bus, let address = settings.receiverAddress {
      return ReceiverLine(
        BusReceiver(
          address: address, bus: bus,
          readyLine: settings.receiverReadyLine.map { InterruptLine($0) }))
    }
    return ReceiverLine(SerialReceiver(path: settings.receiverPath))
  }
}
