import BinnacleBasics

/// The fields of what a person does to a bus and its chips: a number that says what, then its values.
extension ByteWriter {
  mutating func put(_ change: ControlOrder.ChipChange) {
    switch change {
    case .plug(let isPlugged):
      u8(0)
      flag(isPlugged)
    case .accelerate(let x, let y, let z):
      u8(1)
      i32(x)
      i32(y)
      i32(z)
    case .freeze(let axis):
      u8(2)
      u8(axis ?? 255)
    case .pretend(let identity):
      u8(3)
      flag(identity != nil)
      u8(identity ?? 0)
    case .kill(let isDead):
      u8(4)
      flag(isDead)
    }
  }

  mutating func put(_ change: ControlOrder.BusChange) {
    switch change {
    case .stick(let isStuck):
      u8(0)
      flag(isStuck)
    case .fail(let count, let errno, let address):
      u8(1)
      u16(count)
      u16(errno)
      u8(address ?? 0)
    case .glitch(let perMillion):
      u8(2)
      u32(perMillion)
    case .refuseJoinedReads(let areRefused):
      u8(3)
      flag(areRefused)
    }
  }
}

extension ByteReader {
  mutating func chipChange() -> ControlOrder.ChipChange? {
    switch u8() {
    case 0: return flag().map { .plug($0) }
    case 1:
      guard let x = i32(), let y = i32(), let z = i32() else { return nil }
      return .accelerate(x: x, y: y, z: z)
    case 2:
      guard let axis = u8(), axis <= 2 || axis == 255 else { return nil }
      return .freeze(axis: axis == 255 ? nil : axis)
    case 3:
      guard let isFalse = flag(), let identity = u8(), isFalse || identity == 0 else { return nil }
      return .pretend(identity: isFalse ? identity : nil)
    case 4: return flag().map { .kill($0) }
    default: return nil
    }
  }

  mutating func busChange() -> ControlOrder.BusChange? {
    switch u8() {
    case 0: return flag().map { .stick($0) }
    case 1:
      guard let count = u16(), let errno = u16(), let address = u8(), errno > 0 else { return nil }
      return .fail(count: count, errno: errno, address: address == 0 ? nil : address)
    case 2:
      guard let perMillion = u32(), perMillion <= 1_000_000 else { return nil }
      return .glitch(perMillion: perMillion)
    case 3: return flag().map { .refuseJoinedReads($0) }
    default: return nil
    }
  }
}
