public import BinnacleBasics
import CBinnaclePosix
import Glibc

/// One end of a connection on this machine that keeps the boundaries of packets.
///
/// A call on the socket never blocks. Only connecting with patience waits.
///
/// The corresponding C function is `socket` with `AF_UNIX` and `SOCK_SEQPACKET`.
public final class LocalSocket: Sendable {
  private let file: FileDescriptor

  /// The peer's credentials, recorded by the kernel when the peer connected.
  public struct Peer: Equatable, Sendable {
    public let userID: UInt32
    public let processID: Int32

    public init(userID: UInt32, processID: Int32) {
      self.userID = userID
      self.processID = processID
    }
  }

  /// The result of `receive`.
  public enum Received: Equatable, Sendable {
    /// A packet; its bytes are at the front of the buffer.
    case packet(count: Int)
    /// A packet longer than the buffer; the rest of the packet is lost.
    case tooLong(count: Int)
    /// No packet yet.
    case nothing
    /// The peer has closed. A call that receives an empty packet has the same result; Binnacle's programs never send an
    /// empty packet.
    case ended
  }

  init(owning file: consuming FileDescriptor) {
    self.file = file
  }

  /// Connects to a listening socket.
  ///
  /// A listener has a queue of connections that wait to be accepted. The kernel wakes a process
  /// that waits for room in this queue when the listener accepts a connection, so a wait finds room
  /// also while other programs fill the queue without a pause.
  ///
  /// - Parameters:
  ///   - path: the name of the socket.
  ///   - patience: the longest wait for room in the queue; zero: the call never blocks.
  /// - Throws: the error of the system; `errno` is `noSuchFile` or `connectionRefused` when no
  ///   process listens, `wouldBlock` when the queue is full.
  ///
  /// The corresponding C function is `connect`, with `SO_SNDTIMEO`.
  public convenience init(
    connectingTo path: String, patience: Interval = .zero
  ) throws(SystemError) {
    do {
      let file = FileDescriptor(owning: try Errno.check { cposix_local_socket() })
      let number = file.number
      _ = try Errno.check { cposix_local_connect(number, path, patience.nanoseconds) }
      self.init(owning: file)
    } catch {
      throw LocalSocket.explain(error, path)
    }
  }

  /// Two ends that are connected to each other.
  ///
  /// The corresponding C function is `socketpair`.
  public static func pair() throws(Errno) -> (LocalSocket, LocalSocket) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    _ = try Errno.check { socketpair(AF_UNIX, kind, 0, &ends) }
    return (
      LocalSocket(owning: FileDescriptor(owning: ends[0])),
      LocalSocket(owning: FileDescriptor(owning: ends[1]))
    )
  }

  /// The descriptor to poll.
  public var descriptor: Int32 { file.number }

  /// The peer's credentials.
  ///
  /// The corresponding C function is `getsockopt` with `SO_PEERCRED`.
  public var peer: Peer {
    get throws(Errno) { try LocalSocket.peer(of: file.number) }
  }

  /// Whether the peer has closed the connection and has left no packet to read.
  ///
  /// The corresponding C functions are `recv` with `MSG_PEEK`, and `poll`.
  public var isAbandoned: Bool { cposix_local_is_abandoned(file.number) != 0 }

  /// Whether the peer's process was a member of a group when it connected.
  ///
  /// The corresponding C function is `getsockopt` with `SO_PEERGROUPS`. A process of more than `groupsMax` groups is a member
  /// of none.
  public func isPeerMember(ofGroup groupID: UInt32) -> Bool {
    var groups = [UInt32](repeating: 0, count: LocalSocket.groupsMax)
    let count = cposix_local_peer_groups(file.number, &groups, groups.count)
    return count > 0 && groups.prefix(count).contains(groupID)
  }

  /// The largest number of groups of a process that are read.
  private static let groupsMax = 256

  static func peer(of descriptor: Int32) throws(Errno) -> Peer {
    var user: UInt32 = 0
    var process: Int32 = 0
    _ = try Errno.check { cposix_local_peer(descriptor, &user, &process) }
    return Peer(userID: user, processID: process)
  }

  /// Sends one packet, whole or not at all.
  ///
  /// - Returns: false when the send buffer is full; poll for writing and try again.
  ///
  /// The corresponding C function is `send` with `MSG_NOSIGNAL`.
  public func send(_ packet: [UInt8]) throws(Errno) -> Bool {
    do {
      _ = try Errno.check {
        packet.withUnsafeBytes { cposix_local_send(file.number, $0.baseAddress, $0.count) }
      }
      return true
    } catch {
      if error == .wouldBlock { return false }
      throw error
    }
  }

  /// Sends one packet together with a copy of a descriptor.
  ///
  /// - Parameters:
  ///   - packet: the packet.
  ///   - descriptor: the descriptor, which stays open here.
  /// - Returns: false when the send buffer is full.
  /// - Throws: the error of the system.
  ///
  /// The corresponding C function is `sendmsg` with `SCM_RIGHTS`.
  public func send(
    _ packet: [UInt8], with descriptor: borrowing FileDescriptor
  ) throws(Errno) -> Bool {
    let sent = descriptor.number
    do {
      _ = try Errno.check {
        packet.withUnsafeBytes {
          cposix_local_send_descriptor(file.number, $0.baseAddress, $0.count, sent)
        }
      }
      return true
    } catch {
      if error == .wouldBlock { return false }
      throw error
    }
  }

  /// Reads the next packet into the buffer, and the descriptor that came with it.
  ///
  /// - Parameters:
  ///   - buffer: gets the packet; the buffer keeps its length.
  ///   - use: gets the packet and its descriptor; nil if none came.
  /// - Returns: what was received; `use` is called for a packet only.
  /// - Throws: the error of the system.
  ///
  /// The corresponding C function is `recvmsg`.
  public func receive(
    into buffer: inout [UInt8], use: ([UInt8], consuming FileDescriptor?) -> Void
  ) throws(Errno) -> Received {
    var received: Int32 = -1
    do {
      let count = try Errno.check {
        buffer.withUnsafeMutableBytes {
          cposix_local_receive_descriptor(file.number, $0.baseAddress, $0.count, &received)
        }
      }
      let descriptor: FileDescriptor? = received < 0 ? nil : FileDescriptor(owning: received)
      if count == 0 { return .ended }
      if count > buffer.count { return .tooLong(count: count) }
      use(Array(buffer[..<count]), descriptor)
      return .packet(count: count)
    } catch {
      if error == .wouldBlock { return .nothing }
      throw error
    }
  }

  /// Reads the next packet into the buffer; the buffer keeps its length.
  ///
  /// The corresponding C function is `recv` with `MSG_TRUNC`.
  public func receive(into buffer: inout [UInt8]) throws(Errno) -> Received {
    do {
      let count = try Errno.check {
        buffer.withUnsafeMutableBytes {
          cposix_local_receive(file.number, $0.baseAddress, $0.count)
        }
      }
      if count == 0 { return .ended }
      return count > buffer.count ? .tooLong(count: count) : .packet(count: count)
    } catch {
      if error == .wouldBlock { return .nothing }
      throw error
    }
  }

  /// Sets the size of the send buffer in bytes; the kernel doubles the number for its own book-keeping.
  ///
  /// The corresponding C function is `setsockopt` with `SO_SNDBUF`.
  public func setSendBuffer(bytes: Int32) throws(Errno) {
    var size = bytes
    _ = try Errno.check {
      setsockopt(file.number, SOL_SOCKET, SO_SNDBUF, &size, UInt32(MemoryLayout<Int32>.size))
    }
  }

  /// Ends the connection in both directions; packets that have arrived can still be read, and then the end.
  ///
  /// The corresponding C function is `shutdown` with `SHUT_RDWR`.
  public func shutDown() {
    _ = shutdown(file.number, Int32(SHUT_RDWR))
  }

  static func explain(_ errno: Errno, _ path: String) -> SystemError {
    guard errno == .nameTooLong else { return SystemError(errno, path) }
    return SystemError(
      errno,
      description: "\(path): the path of a socket has room for \(cposix_local_path_max()) bytes, "
        + "this one has \(path.utf8.count)")
  }
}
