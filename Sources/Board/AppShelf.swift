public import BinnacleModel

/// All apps that have a valid manifest, and the faults of the other manifests.
public struct AppShelf: Equatable, Sendable {
  /// In the order of their files' names.
  public private(set) var apps: [AppManifest] = []
  /// The faults, one line each; a faulty manifest is ignored.
  public private(set) var complaints: [SettingsError.Complaint] = []
  private var files: [String] = []

  /// The part of each manifest that decides about the rights of its app.
  public var declarations: [AppDeclaration] { apps.map(\.declaration) }

  /// The manifest file of an app; nil if there is no such app.
  public func file(of identifier: String) -> String? {
    apps.firstIndex { $0.identifier == identifier }.map { files[$0] }
  }

  /// Further files are not read: a folder with so many files is not a folder of manifests.
  public static let countMax = 256

  public init() {}

  /// Takes a manifest with its drop-ins; a second manifest of the same app or program is a fault.
  ///
  /// - Parameter files: the manifest, then its drop-ins; there is one at least.
  public mutating func take(_ files: [SettingsFile]) {
    guard let file = files.first?.path else { return }
    do throws(SettingsError) {
      let app = try AppManifest(parsing: files)
      if let double = complaint(of: app, file: file) {
        complaints.append(double)
        return
      }
      apps.append(app)
      self.files.append(file)
    } catch {
      complaints += error.complaints
    }
  }

  /// Takes note of a file that cannot be read.
  public mutating func refuse(_ file: String, _ text: String) {
    complaints.append(.init(file: file, line: nil, key: "", text: text))
  }

  /// The conflict between an app and the apps that are already accepted.
  private func complaint(of app: AppManifest, file: String) -> SettingsError.Complaint? {
    if apps.count >= AppShelf.countMax {
      return .init(
        file: file, line: nil, key: "",
        text: "there are \(AppShelf.countMax) manifests already, which is the most; take one out")
    }
    if let other = apps.firstIndex(where: { $0.identifier == app.identifier }) {
      return .init(
        file: file, line: nil, key: "Identifier",
        text: "\(app.identifier) is the app of \(files[other]) already, take another name")
    }
    let other = apps.firstIndex { $0.executable == app.executable && $0.user == app.user }
    return other.map {
      .init(
        file: file, line: nil, key: "Executable",
        text: "\(app.executable) of user \(app.user) is the app of \(files[$0]) already, "
          + "take out one of the two")
    }
  }
}
