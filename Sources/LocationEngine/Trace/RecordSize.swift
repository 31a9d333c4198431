import BinnacleModel
import StateLog

/// The approximate memory size of a record of the flight recorder.
extension TraceFile.Record {
  var memorySize: Int {
    MemoryLayout<TraceFile.Record>.stride + event.memorySize + (effects.isEmpty ? 0 : blockSize)
      + effects.reduce(0) { $0 + MemoryLayout<Effect>.stride + $1.memorySize }
  }
}

/// The size of an array or a text without its elements.
private let blockSize = 48

extension Event {
  /// The size of a part that is stored apart.
  private static let partSize =
    blockSize + max(MemoryLayout<Client>.stride, MemoryLayout<Storage>.stride)

  /// The memory of the event beside its own size; only parts that may be large are counted.
  fileprivate var memorySize: Int {
    switch self {
    case .receiver(.bytesArrived(let bytes)): blockSize + bytes.count
    case .accelerometer(.samples(let batch)): blockSize + batch.counts.count * 2
    case .storage(.read(let reading)): Event.partSize + blockSize + reading.records.encodedSize
    case .client(_, .requested(_, .setDefaults(_, let entries))):
      Event.partSize + entries.memorySize
    case .client(_, .sessionOpened(_, .liveActivity(let text))):
      Event.partSize + blockSize + text.utf8.count
    case .client, .storage: Event.partSize
    case .receiver, .accelerometer, .line, .track, .launcher, .appsRead, .consentSettingsRead,
      .wallClockRead, .started, .stopRequested, .deadlineReached:
      0
    }
  }
}

extension Effect {
  /// The memory of the effect beside its own size; only parts that may be large are counted.
  fileprivate var memorySize: Int {
    switch self {
    case .receiver(.write(let bytes)): blockSize + bytes.count
    case .storage(.commit(_, let changes)), .track(.commit(_, let changes)): changes.memorySize
    case .client(_, let message): message.memorySize
    case .log(_, let text): blockSize + text.utf8.count
    case .receiver, .storage, .line, .launcher, .track, .watchAccelerometer: 0
    }
  }
}

extension Effect.Client {
  fileprivate var memorySize: Int {
    switch self {
    case .deliver(let sequences, _): blockSize + sequences.count * 4
    case .report(_, let report), .reportWrites(_, let report):
      blockSize + report.items.count * MemoryLayout<Report.Item>.stride
    case .defaults(_, let entries), .defaultsChanged(let entries): entries.memorySize
    case .skyReport(_, let sky), .sky(let sky):
      blockSize + sky.satellites.count * MemoryLayout<Satellite>.stride
    case .rows(_, let rows):
      rows.reduce(blockSize) {
        $0 + blockSize + $1.items.count * MemoryLayout<Report.Item>.stride
      }
    case .day(_, let day): day.memorySize
    case .endUpdates, .answer, .defaultsSettled, .skyRefusal, .consentRefusal, .sessionDiagnostic,
      .authorization, .button, .phase, .output, .checkPIN, .describeLock, .unlocked, .locked:
      0
    }
  }
}

extension [Change] {
  fileprivate var memorySize: Int { reduce(blockSize) { $0 + blockSize + $1.encodedSize } }
}

extension [DefaultsEntry] {
  fileprivate var memorySize: Int {
    reduce(blockSize) {
      $0 + MemoryLayout<DefaultsEntry>.stride + $1.key.utf8.count + ($1.value?.encodedSize ?? 0)
    }
  }
}
