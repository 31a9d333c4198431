/// The part of an app's manifest that decides about its rights.
public struct AppDeclaration: Equatable, Codable, Sendable {
  /// `Identifier` of the manifest.
  public var identifier: String
  /// Whether `BackgroundModes` contains `location`.
  public var hasBackgroundLocation: Bool
  /// `WhenInUseUsageDescription`: the purpose of locations while the app is in use; nil: the app cannot ask.
  public var whenInUseText: String?
  /// `AlwaysAndWhenInUseUsageDescription`: the purpose of locations at all times; nil: the app cannot ask for them.
  public var alwaysText: String?
  /// `DefaultAccuracyReduced`: whether the app begins with reduced accuracy.
  public var isAccuracyReduced: Bool

  public init(
    identifier: String, hasBackgroundLocation: Bool = false, whenInUseText: String? = nil,
    alwaysText: String? = nil, isAccuracyReduced: Bool = false
  ) {
    self.identifier = identifier
    self.hasBackgroundLocation = hasBackgroundLocation
    self.whenInUseText = whenInUseText
    self.alwaysText = alwaysText
    self.isAccuracyReduced = isAccuracyReduced
  }

  public var app: AppID { .listed(identifier) }
}
