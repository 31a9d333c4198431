public import Foundation

/// Makes the delegate of the app, as a property of the app.
///
///     @UIApplicationDelegateAdaptor private var appDelegate: AppDelegate
///
/// A delegate that is an ``ObservableObject`` is in the environment of all views: `@EnvironmentObject var delegate: AppDelegate`.
@MainActor
@propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
  /// The delegate.
  public let wrappedValue: DelegateType

  /// Makes the delegate by its `init()`.
  public init(_ delegateType: DelegateType.Type = DelegateType.self) {
    guard let delegate = DelegatePrototype.object(of: delegateType) as? DelegateType else {
      preconditionFailure("\(delegateType) makes an object of another type")
    }
    wrappedValue = delegate
    UIApplication.shared.delegate = delegate
    UIApplication.shared.keptDelegate = delegate
  }
}

extension UIApplicationDelegateAdaptor where DelegateType: ObservableObject {
  /// Access to the properties of the delegate.
  public var projectedValue: ObservedObject<DelegateType>.Wrapper {
    ObservedObject<DelegateType>.Wrapper(object: wrappedValue)
  }
}
