import Board

/// A profile and a manifest of any bytes are read.
///
/// An error names its line. A valid file is also valid as a drop-in of itself.
func fuzzSettings(_ bytes: [UInt8]) {
  let file = SettingsFile(path: "f", bytes: bytes)
  let again = [file, SettingsFile(path: "f.d/1.conf", bytes: bytes)]
  do throws(SettingsError) {
    let app = try AppManifest(parsing: [file])
    precondition((try? AppManifest(parsing: again)) == app, "a manifest is not itself")
  } catch {
    check(error)
  }
  do throws(SettingsError) {
    let profile = try Profile(parsing: [file])
    precondition((try? Profile(parsing: again)) == profile, "a profile is not itself")
  } catch {
    check(error)
  }
}

private func check(_ error: SettingsError) {
  precondition(!error.complaints.isEmpty, "nothing is wrong, and yet it is refused")
  for complaint in error.complaints {
    precondition((complaint.line ?? 1) > 0 && !complaint.text.isEmpty, "a complaint says nothing")
  }
}
