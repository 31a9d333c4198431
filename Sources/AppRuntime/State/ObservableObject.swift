/// A class whose changes are visible in the views that show it.
///
/// The default ``objectWillChange`` reports each change of a property with ``Published``.
public protocol ObservableObject: AnyObject {
  /// Informs its subscribers before a property changes.
  var objectWillChange: ObservableObjectPublisher { get }
}

extension ObservableObject {
  /// The publisher that the `Published` properties of this object share.
  ///
  /// An object without such a property gets a new publisher at each call, so it declares one of its own.
  public var objectWillChange: ObservableObjectPublisher {
    var properties: [any PublishedProperty] = []
    var mirror: Mirror? = Mirror(reflecting: self)
    while let each = mirror {
      properties += each.children.compactMap { $0.value as? any PublishedProperty }
      mirror = each.superclassMirror
    }
    let publisher =
      properties.lazy.compactMap(\.objectWillChange).first ?? ObservableObjectPublisher()
    for property in properties { property.share(publisher) }
    return publisher
  }
}
