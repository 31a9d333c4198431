package import Foundation

/// Makes objects of classes that are known by their metatype only.
package enum ObjectMaking {
  /// A class whose `init()` may be called on a metatype.
  private class Made: NSObject {
    required override init() { super.init() }
  }

  /// Makes an object by the `init()` that the class has from `NSObject` or overrides.
  ///
  /// Apple's frameworks call `init()` of a delegate's class by the Objective-C runtime. In Swift only a required initializer
  /// may be called on a metatype, and `NSObject` has none. `Made.init()` overrides `NSObject.init()`, so both have the
  /// same entry in the table of methods that each subclass of `NSObject` has, and the class's own entry is called. A class that
  /// does not have `init()` ends the process with a sentence of the Swift runtime. The optimizer must not replace the
  /// call by `Made.init()`.
  @inline(never)
  @_optimize(none)
  package static func object(of type: NSObject.Type) -> NSObject {
    unsafeBitCast(type, to: Made.Type.self).init()
  }
}
