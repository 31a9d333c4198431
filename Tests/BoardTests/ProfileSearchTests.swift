import Board
import Testing

struct ProfileSearchTests {
  private func candidates(
    _ board: String, executable: String? = nil, existing: String? = nil
  ) -> [String] {
    ProfileSearch.candidates(
      board: board,
      directories: ProfileSearch.directories(
        configurationDirectory: "/etc/binnacle", executable: executable),
      exists: { $0 == existing })
  }

  @Test func aPathIsTakenAsItStands() {
    #expect(candidates("./mine") == ["./mine"])
    #expect(candidates("/x/mine.conf") == ["/x/mine.conf"])
    #expect(candidates("mine.conf", existing: "mine.conf") == ["mine.conf"])
  }

  @Test func aNameIsSearchedInThreePlaces() {
    #expect(
      candidates("desk", executable: "/opt/bin/binnacled") == [
        "/etc/binnacle/boards/desk.conf", "/opt/share/binnacle/boards/desk.conf",
        "/usr/share/binnacle/boards/desk.conf",
      ])
    #expect(
      candidates("desk", executable: "/home/me/b/.build/x86_64/debug/binnacled") == [
        "/etc/binnacle/boards/desk.conf", "/home/me/b/boards/desk.conf",
        "/usr/share/binnacle/boards/desk.conf",
      ])
    #expect(
      candidates("desk.conf") == [
        "/etc/binnacle/boards/desk.conf", "/usr/share/binnacle/boards/desk.conf",
      ])
  }

  @Test func anInstalledProgramNamesItsDirectoryOnce() {
    #expect(
      ProfileSearch.directories(
        configurationDirectory: "/etc/binnacle", executable: "/usr/bin/binnacled") == [
          "/etc/binnacle/boards", "/usr/share/binnacle/boards",
        ])
  }

  @Test func dropInsOfTheAdministratorComeLast() {
    let directories = ["/etc/binnacle/boards", "/usr/share/binnacle/boards"]
    #expect(
      ProfileSearch.dropInDirectories(
        of: "/usr/share/binnacle/boards/pi.conf", directories: directories) == [
          "/usr/share/binnacle/boards/pi.conf.d", "/etc/binnacle/boards/pi.conf.d",
        ])
    #expect(
      ProfileSearch.dropInDirectories(of: "./pi.conf", directories: directories) == [
        "./pi.conf.d"
      ])
  }

  @Test func theMostExactStringOfTheDeviceTreeDecides() throws {
    func board(_ compatible: String) throws -> Profile {
      try Profile(parsing: Array("[Board]\nCompatible=\(compatible)\n".utf8), file: "f")
    }
    let profiles = [
      try board("brcm,bcm2711"), try board("raspberrypi,400 raspberrypi,4-model-b"),
      try board("radxa,zero-3w"), try board("radxa,zero-3w"), Profile(),
    ]
    let tree = ProfileSearch.compatible(Array("raspberrypi,4-model-b\0brcm,bcm2711\0".utf8))
    #expect(tree == ["raspberrypi,4-model-b", "brcm,bcm2711"])
    #expect(ProfileSearch.fitting(tree, among: profiles) == [1])
    #expect(ProfileSearch.fitting(["x,y", "brcm,bcm2711"], among: profiles) == [0])
    #expect(ProfileSearch.fitting(["radxa,zero-3w"], among: profiles) == [2, 3])
    #expect(ProfileSearch.fitting(["radxa,zero"], among: profiles) == [])
  }
}
