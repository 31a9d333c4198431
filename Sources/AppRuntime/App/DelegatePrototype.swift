public import Foundation

/// Not for use: `UIApplicationDelegateAdaptor` makes the app's delegate by it.
///
/// Apple's frameworks call `init()` of a delegate's class by the Objective-C runtime. In Swift only a required initializer may be
/// called on a metatype, and `NSObject` has none. The `init()` of this class overrides the one of `NSObject`, so both have the
/// same entry in the table of methods that each subclass of `NSObject` has, and the delegate's own entry is called. The class is open, so that
/// the compiler never replaces this call by the `init()` of this class.
open class DelegatePrototype: NSObject {
  /// Makes an object of this class.
  public required override init() { super.init() }

  /// Makes an object by the `init()` that its class has from `NSObject` or overrides.
  ///
  /// A class without `init()` ends the process with a sentence of the Swift runtime.
  @inline(never)
  static func object(of type: NSObject.Type) -> NSObject {
    unsafeBitCast(type, to: DelegatePrototype.Type.self).init()
  }
}
