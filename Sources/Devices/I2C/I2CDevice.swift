import BinnaclePosix
import CI2C
import Glibc
import I2C

/// A kernel bus: `/dev/i2c-N`.
///
/// Transfers of registers up to 32 bytes use SMBus calls of libi2c, all others one `I2C_RDWR`. The address is selected
/// before each transfer, also before `I2C_RDWR`, which does not check the address. The selection detects a kernel
/// driver that was bound in the meantime, so the daemon never disturbs that driver.
struct I2CDevice: I2CBackend {
  private let path: String
  /// `1` for `/dev/i2c-1`; nil for a device of another name.
  private let busNumber: String?
  private let file: OpenFile
  private let abilities: ci2c_abilities

  /// A noncopyable descriptor cannot be stored in a value behind a protocol.
  private final class OpenFile {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
      self.descriptor = descriptor
    }

    var number: Int32 { descriptor.number }
  }

  init(opening path: String) throws(I2CFault) {
    self.path = path
    do throws(SystemError) {
      let resolved = try Files.resolve(path)
      let name = resolved.split(separator: "/").last ?? ""
      busNumber = name.hasPrefix("i2c-") ? String(name.dropFirst(4)) : nil
    } catch {
      throw I2CDevice.explain(error.errno, opening: path)
    }
    var abilities = ci2c_abilities()
    do throws(Errno) {
      file = OpenFile(try FileDescriptor.open(path, O_RDWR))
      guard ci2c_abilities(file.number, &abilities) == 0 else { throw .current }
    } catch {
      throw I2CDevice.explain(error, opening: path)
    }
    self.abilities = abilities
  }

  mutating func carryOut(_ transfer: I2CTransfer) throws(I2CFault) -> [[UInt8]] {
    guard ci2c_select(file.number, transfer.address) == 0 else {
      let errno = Errno.current
      throw errno == .busy ? held(transfer.address) : explain(errno, at: transfer.address)
    }
    do throws(Errno) {
      if let answers = try registers(transfer) { return answers }
      return try combined(transfer)
    } catch {
      throw explain(error, at: transfer.address)
    }
  }

  /// The transfer by SMBus calls; nil if it is not an SMBus transfer.
  private func registers(_ transfer: I2CTransfer) throws(Errno) -> [[UInt8]]? {
    switch (transfer.parts.count, transfer.parts[0], transfer.parts.last) {
    case (2, .write(let register), .read(let count)) where register.count == 1:
      guard canDo(count) else { return nil }
      var bytes = [UInt8](repeating: 0, count: count)
      guard ci2c_read_registers(file.number, register[0], &bytes, count) == 0 else {
        throw .current
      }
      return [bytes]
    case (1, .write(let bytes), _) where bytes.count >= 2:
      let values = Array(bytes.dropFirst())
      guard canDo(values.count) else { return nil }
      guard ci2c_write_registers(file.number, bytes[0], values, values.count) == 0 else {
        throw .current
      }
      return []
    default: return nil
    }
  }

  private func canDo(_ count: Int) -> Bool {
    count == 1 ? abilities.bytes != 0 : abilities.blocks != 0 && count <= ci2c_registers_max()
  }

  private func combined(_ transfer: I2CTransfer) throws(Errno) -> [[UInt8]] {
    guard abilities.transfers != 0 else { throw Errno(code: EOPNOTSUPP) }
    // One buffer for all bytes; the messages of the transfer point into the buffer.
    var room: [UInt8] = []
    for part in transfer.parts {
      switch part {
      case .write(let bytes): room.append(contentsOf: bytes)
      case .read(let count): room.append(contentsOf: repeatElement(0, count: count))
      }
    }
    let result = room.withUnsafeMutableBufferPointer { room -> Int32 in
      var offset = 0
      var parts = transfer.parts.map { part in
        defer { offset += part.count }
        return ci2c_part(
          bytes: room.baseAddress.map { $0 + offset }, count: UInt16(part.count),
          is_read: part.isRead ? 1 : 0)
      }
      return ci2c_transfer(file.number, transfer.address, &parts, parts.count)
    }
    guard result == 0 else { throw .current }
    var offset = 0
    var answers: [[UInt8]] = []
    for part in transfer.parts {
      if part.isRead { answers.append(Array(room[offset..<offset + part.count])) }
      offset += part.count
    }
    return answers
  }

  // MARK: Errors

  private func held(_ address: UInt8) -> I2CFault {
    let driver = busNumber.flatMap { I2CDevice.driver(bus: $0, address: address) }
    let name = driver.map { "driver \($0)" } ?? "a driver"
    return I2CFault(
      .busy, "\(path): \(name) of the kernel holds address \(I2CDevice.hex(address))",
      driver: driver)
  }

  private func explain(_ errno: Errno, at address: UInt8) -> I2CFault {
    I2CFault(I2CDevice.kind(of: errno), "\(path), address \(I2CDevice.hex(address)): \(errno)")
  }

  /// The kernel driver that is bound to an address, by its name in sysfs.
  static func driver(bus: String, address: UInt8) -> String? {
    let digits = String(address, radix: 16)
    let name = bus + "-" + String(repeating: "0", count: 4 - digits.count) + digits
    let link = try? Files.linkTarget("/sys/bus/i2c/devices/\(name)/driver")
    return link?.split(separator: "/").last.map { String($0) }
  }

  private static func explain(_ errno: Errno, opening path: String) -> I2CFault {
    switch errno {
    case .noSuchFile, .noSuchDevice, .noSuchDeviceOrAddress, .notADirectory:
      I2CFault(
        .missing,
        "\(path): there is no such bus; 'sudo modprobe i2c-dev' gives a bus its name, and "
          + "'binnacle doctor' says what switches the bus on")
    case .accessDenied, .notPermitted:
      I2CFault(.notPermitted, "\(path): \(errno); 'sudo usermod -aG i2c USER' lets USER in")
    case .notATerminal, .isADirectory, .invalidArgument:
      I2CFault(.refused, "\(path): this is no I2C bus")
    default: I2CFault(.failed, "\(path): \(errno)")
    }
  }

  /// The kind of failure for an error of an adapter's driver.
  ///
  /// The kernel's `Documentation/i2c/fault-codes.rst` defines the errors of drivers. The drivers of the Raspberry Pi
  /// (`i2c-bcm2835.c`, `i2c-designware`) return EREMOTEIO for a missing acknowledge; EBUSY stands for a bus that was
  /// not free in time.
  static func kind(of errno: Errno) -> I2CFailure {
    switch errno.code {
    case ENXIO, EREMOTEIO: .noAcknowledge
    case ETIMEDOUT, EBUSY: .timeOut
    case EAGAIN: .arbitrationLost
    case ENODEV, ESHUTDOWN, ENOTCONN: .gone
    case EACCES, EPERM: .notPermitted
    case EOPNOTSUPP, EINVAL, ENOTTY, EMSGSIZE, E2BIG: .refused
    default: .failed
    }
  }

  static func hex(_ address: UInt8) -> String {
    let digits = String(address, radix: 16)
    return "0x" + (digits.count == 1 ? "0" : "") + digits
  }
}

extension I2CTransfer.Part {
  fileprivate var isRead: Bool {
    switch self {
    case .read: true
    case .write: false
    }
  }
}
