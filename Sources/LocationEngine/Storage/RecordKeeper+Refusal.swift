import BinnacleBasics
import StateLog

/// The reasons why a decision is not kept, or not kept yet.
extension RecordKeeper {
  static var busy: StorageFault {
    .init(.busy, "the disk is slow and too many changes wait for it; try again")
  }

  static var overtaken: StorageFault {
    .init(.busy, "the disk is slow, and a later decision has taken its place")
  }

  static var late: StorageFault {
    .init(.late, "the disk is slow; the decision is written as soon as the disk answers")
  }

  /// Why these changes are refused: the records of a type would exceed their limit; nil if they do not.
  func refusal(of changes: [Change]) -> RecordRefusal? {
    for change in changes {
      guard let kind = RecordTable.kind(change.name.kind), change.action != .remove,
        records[change.name] == nil
      else { continue }
      let added = changes.count {
        $0.name.kind == kind.number && $0.action != .remove && records[$0.name] == nil
      }
      if records.count(ofKind: kind.number) + added > kind.countMax {
        return .tooMany(kind: kind.name, countMax: kind.countMax)
      }
    }
    return nil
  }
}
