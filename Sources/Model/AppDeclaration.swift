/// The part of an app's manifest that decides about its rights.
public struct AppDeclaration: Equatable, Codable, Sendable {
  /// `Identifier` of the manifest.
  public var identifier: String
  /// The number of the `User` of the manifest; nil if there is no such user.
  public var userID: UInt32?
  /// Whether `BackgroundModes` contains `location`.
  public var hasBackgroundLocation: Bool
  /// `WhenInUseUsageDescription`: the purpose of locations while the app is in use; nil: the app cannot ask.
  public var whenInUseText: String?
  /// `AlwaysAndWhenInUseUsageDescription`: the purpose of locations at all times; nil: the app cannot ask for them.
  public var alwaysText: String?
  /// `TemporaryUsageDescription.PURPOSE`: the reasons for full accuracy for a while.
  public var temporaryTexts: [TemporaryText]
  /// `RequireExplicitServiceSession`: whether the app gets nothing without a service session.
  public var needsServiceSession: Bool
  /// `DefaultAccuracyReduced`: whether the app begins with reduced accuracy.
  public var isAccuracyReduced: Bool
  /// `Executable`: the path of the program; nil for a declaration without a manifest.
  public var executable: String?

  public init(
    identifier: String, userID: UInt32? = nil, hasBackgroundLocation: Bool = false,
    whenInUseText: String? = nil,
    alwaysText: String? = nil, temporaryTexts: [TemporaryText] = [],
    needsServiceSession: Bool = false, isAccuracyReduced: Bool = false, executable: String? = nil
  ) {
    self.identifier = identifier
    self.userID = userID
    self.hasBackgroundLocation = hasBackgroundLocation
    self.whenInUseText = whenInUseText
    self.alwaysText = alwaysText
    self.temporaryTexts = temporaryTexts
    self.needsServiceSession = needsServiceSession
    self.isAccuracyReduced = isAccuracyReduced
    self.executable = executable
  }

  /// Why an app needs full accuracy for a while.
  public struct TemporaryText: Equatable, Codable, Sendable {
    public var purpose: String
    public var text: String

    public init(purpose: String, text: String) {
      self.purpose = purpose
      self.text = text
    }
  }

  /// The usage text for a purpose; nil: the app cannot ask with this purpose.
  public func temporaryText(for purpose: String) -> String? {
    temporaryTexts.first { $0.purpose == purpose }?.text
  }

  public var app: AppID { .listed(identifier) }
}
