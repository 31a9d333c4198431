import BinnacleBasics
import BinnaclePosix
import BinnacleWire
import Synchronization
import TestSupport
import Testing

@testable import Daemon

/// Memory that clients have used is given back when they have gone.
struct MemoryTests {
  /// An allocator as a test wants it.
  private final class Allocator: Sendable {
    let unused = Mutex(0)
    let trims = Mutex(0)
  }

  @Test func unusedMemoryIsGivenBackAfterTheStartAndAfterClientsWent() {
    let allocator = Allocator()
    var trim = MemoryTrim(
      startedAt: .zero - .seconds(8),
      unusedBytes: { allocator.unused.withLock { $0 } },
      trim: { allocator.trims.withLock { $0 += 1 } })
    var trims: Int { allocator.trims.withLock { $0 } }
    trim.turned(departedCount: 0, at: .zero - .seconds(1))
    #expect(trims == 0 && trim.nextDeadline == .zero)
    trim.turned(departedCount: 0, at: .zero)
    #expect(trims == 1 && trim.nextDeadline == nil)
    allocator.unused.withLock { $0 = 40 << 20 }
    trim.turned(departedCount: 0, at: .zero)
    #expect(trim.nextDeadline == nil)
    trim.turned(departedCount: 3, at: .zero)
    #expect(trim.nextDeadline == .zero + .seconds(20))
    trim.turned(departedCount: 9, at: .zero + .seconds(19))
    #expect(trims == 1)
    trim.turned(departedCount: 9, at: .zero + .seconds(20))
    #expect(trims == 2 && trim.nextDeadline == nil)
    // Clients that have left meanwhile count, too. If little memory is unused, nothing is trimmed.
    trim.turned(departedCount: 9, at: .zero + .seconds(21))
    #expect(trim.nextDeadline == .zero + .seconds(41))
    trim.turned(departedCount: 9, at: .zero + .seconds(41))
    allocator.unused.withLock { $0 = 1 << 20 }
    trim.turned(departedCount: 12, at: .zero + .seconds(42))
    #expect(trims == 3 && trim.nextDeadline == nil)
  }

  /// The resident memory of a process, in bytes.
  private func residentBytes(_ process: Int32) throws -> Int {
    let status = String(decoding: try Files.read("/proc/\(process)/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 1_024
  }

  /// 3,000 connections, 50 at a time, whose clients ask and read nothing.
  @Test(.enabled(if: Environment.value("BINNACLE_SWEEPS") == "1"))
  func aFloodOfConnectionsLeavesTheDaemonAsSmallAsItWas() throws {
    let daemon = try RunningDaemon(
      receiver: "/dev/binnacle-none", directory: TemporaryDirectory())
    func flood(_ count: Int) throws {
      var clients: [RawClient] = []
      for _ in 0..<count {
        if clients.count == 50 { clients.removeFirst() }
        let client = try RawClient(daemon.socketPath)
        try client.greet()
        for request in UInt32(1)...16 { try client.say(.request(request, .status)) }
        clients.append(client)
      }
    }
    // The memory that the first client costs: pages of code, capacity of tables.
    try flood(50)
    let before = try residentBytes(daemon.process.processID)
    try flood(3_000)
    #expect(try eventually { try residentBytes(daemon.process.processID) < before + 2 << 20 })
  }
}
