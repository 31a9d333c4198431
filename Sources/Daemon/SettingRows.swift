import BinnacleModel
import Board

/// The settings of the board as rows of a list.
enum SettingRows {
  static func rows(of settings: [EffectiveSetting]) -> [Report] { settings.map(row) }

  private static func row(of setting: EffectiveSetting) -> Report {
    var row = Report()
    row.add(.rowSection, setting.section)
    row.add(.rowSetting, setting.key)
    if !setting.value.isEmpty { row.add(.rowValue, setting.value) }
    switch setting.origin {
    case .usual: row.add(.rowOrigin, "default")
    case .profile(let file, let line): add("profile", file, line, to: &row)
    case .dropIn(let file, let line): add("drop-in", file, line, to: &row)
    case .commandLine: row.add(.rowOrigin, "command line")
    }
    return row
  }

  private static func add(_ origin: String, _ file: String, _ line: Int, to row: inout Report) {
    row.add(.rowOrigin, origin)
    row.add(.rowFile, file)
    row.add(.rowFileLine, Int64(line))
  }
}
