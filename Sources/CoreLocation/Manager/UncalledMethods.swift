internal import Synchronization

/// Reports methods of a delegate that Swift does not call, once for each class and method.
///
/// Apple's systems call a delegate's method by its selector. Swift calls the methods of the class that adopts the
/// protocol. If this class has no such method, the protocol's default is called, and a method that only a subclass
/// declares is never called.
final class UncalledMethods: Sendable {
  private struct Method: Hashable {
    var type: ObjectIdentifier
    var name: String
  }

  /// The reports of this process, on standard error.
  static let ofThisProcess = UncalledMethods { StandardError.write("CoreLocation: \($0)") }

  private let reported = Mutex<Set<Method>>([])
  private let report: @Sendable (String) -> Void

  init(report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  /// The default of a method was called for a delegate.
  ///
  /// Nothing is reported if the delegate's own class adopts the protocol: then the class has no such method.
  func defaultCalled(_ name: String, of delegate: any CLLocationManagerDelegate) {
    let type: AnyClass = type(of: delegate)
    let adopter: AnyClass = UncalledMethods.adopter(of: type)
    guard adopter != type else { return }
    let method = Method(type: ObjectIdentifier(type), name: name)
    guard reported.withLock({ $0.insert(method).inserted }) else { return }
    report(
      "if \(type) declares \(name), this method is not called, because its superclass \(adopter) adopts"
        + " CLLocationManagerDelegate without the method; declare it in \(adopter), and override it in \(type)"
    )
  }

  /// The class that adopts the protocol: the class itself or one of its superclasses.
  private static func adopter(of type: AnyClass) -> AnyClass {
    var adopter: AnyClass = type
    while let next = _getSuperclass(adopter), next is any CLLocationManagerDelegate.Type {
      adopter = next
    }
    return adopter
  }
}
