import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import PINHash
import TestSupport
import Testing

@testable import Daemon

/// The file with the hash of the board's PIN.
struct PINFileTests {
  private let directory: TemporaryDirectory
  private let pin = Secret("483920")

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func write(_ bytes: [UInt8], mode: UInt32 = 0o600) throws {
    try Files.writeAtomically(bytes, to: directory(PINHash.fileName), mode: mode)
  }

  private func verdict(on pin: Secret) -> PINVerdict {
    PINFile(configurationDirectory: directory.path, credentials: nil).verdict(on: pin)
  }

  private func hash() throws -> [UInt8] {
    let hash = try #require(PINHash(of: pin))
    return Array((hash.text + "\n").utf8)
  }

  @Test func onlyThePINOfTheHashIsRight() throws {
    try write(try hash())
    #expect(verdict(on: pin) == .right)
    for text in ["483921", "48392", "4839200", "", " 483920", "483920\0"] {
      #expect(verdict(on: Secret(text)) == .wrong, "\(text)")
    }
  }

  @Test func equalPINsHaveDifferentHashes() throws {
    let (one, other) = (try hash(), try hash())
    #expect(one != other)
    #expect(!String(decoding: one, as: UTF8.self).contains("483920"))
  }

  @Test func withoutAPINNothingIsRight() throws {
    #expect(verdict(on: pin) == .unset)
    try write([])
    #expect(verdict(on: pin) == .unset)
    // The credential of a service without the file.
    try write(Array("none".utf8))
    #expect(verdict(on: pin) == .unset)
    #expect(verdict(on: Secret("none")) == .unset)
  }

  @Test(arguments: [UInt32(0o640), 0o604, 0o666])
  func aFileThatOthersCanReachProvesNothing(_ mode: UInt32) throws {
    try write(try hash(), mode: mode)
    #expect(verdict(on: pin) == .unreadable)
  }

  @Test func aDamagedHashUnlocksNothing() throws {
    let whole = try hash()
    let text = String(decoding: whole, as: UTF8.self)
    let damaged: [String] = [
      "x", "$6$", "*0", "\n", text + text, "483920", String(text.dropLast(10)),
      text.replacing("rounds=20000", with: "rounds=999999999"),
      text.replacing("rounds=20000$", with: ""), text.replacing("$6$", with: "$1$"),
    ]
    for line in damaged {
      try write(Array(line.utf8))
      #expect(verdict(on: pin) == .unreadable, "\(line)")
    }
    try write([UInt8](repeating: 0, count: 5_000))
    #expect(verdict(on: pin) == .unreadable)
  }

  @Test func theCredentialOfTheServiceComesFirst() throws {
    try write(try hash())
    try Files.makePrivateDirectory(directory("credentials"))
    let file = directory("credentials/" + PINHash.fileName)
    // The service manager shows an access list as permissions of the group.
    try Files.writeAtomically(Array("none".utf8), to: file, mode: 0o440)
    let pins = PINFile(
      configurationDirectory: directory.path, credentials: directory("credentials"))
    #expect(pins.verdict(on: pin) == .unset)
    try Files.writeAtomically(try hash(), to: file, mode: 0o440)
    #expect(pins.verdict(on: pin) == .right)
  }

  @Test func aPINHasSixSignsOrMoreAndNoBlank() {
    #expect(PINHash.refusal(of: pin) == nil)
    for text in ["", "48392", "111111", "121212", "48 3920", "48392\u{e9}"] {
      #expect(PINHash.refusal(of: Secret(text)) != nil, "\(text)")
    }
    #expect(PINHash.refusal(of: Secret(String(repeating: "123", count: 22))) != nil)
  }
}
