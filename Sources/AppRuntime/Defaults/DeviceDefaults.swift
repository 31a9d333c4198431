internal import BinnacleModel
package import CoreLocation
public import Foundation
internal import Synchronization

/// An app's values that survive restarts and power cuts; used like `UserDefaults`.
///
/// The values belong to the app (`Docs/APPS.md`), not to a file: the daemon keeps them in its log of state. After ``flush(within:)``
/// returns, all values set before survive every power cut. A later value never survives without the earlier ones. This program
/// reads a new value at once, even in a tight loop. The daemon receives the last value of each key in the background. Setting an
/// equal value writes nothing.
///
/// All methods may be called from any thread and do not wait. Only the first getter waits for the daemon, at most
/// ``firstWait`` seconds. Without a daemon the registered defaults apply; values that are set are sent when the daemon starts.
/// If the daemon ends, the app sends all unacknowledged values to the next daemon. If the daemon refuses a value, the old value
/// returns, standard error reports the refusal, and the next ``flush(within:)`` throws it.
///
/// Limits of an app: 256 keys of 1 to 128 bytes, values of 3,839 bytes, 32,768 bytes in all. An app gets 60 writes at once
/// and then one in 10 s; the acknowledgement of faster changes waits that long.
public final class DeviceDefaults: Sendable {
  /// The values of this app.
  public static let standard = DeviceDefaults { DefaultsStorage.ofThisProcess }

  /// How long the first getter waits for the daemon, in seconds.
  public static let firstWait = 5.0

  private let storage: @Sendable () -> DefaultsStorage
  private let registered = Mutex<[String: DefaultsValue]>([:])

  package init(_ storage: @escaping @Sendable () -> DefaultsStorage) {
    self.storage = storage
  }

  // MARK: Getting

  /// Whether the value is true; false when there is none.
  public func bool(forKey key: String) -> Bool { value(key)?.bool ?? false }

  /// The value as a whole number; 0 when there is none.
  public func integer(forKey key: String) -> Int { value(key)?.integer ?? 0 }

  /// The value as a number; 0 when there is none.
  public func double(forKey key: String) -> Double { value(key)?.double ?? 0 }

  /// The value as text; nil when there is none.
  public func string(forKey key: String) -> String? { value(key)?.string }

  /// The value as bytes; nil without a value, or for a value of another type.
  public func data(forKey key: String) -> Data? { value(key)?.data }

  /// The value as a number of single precision; 0 when there is none.
  public func float(forKey key: String) -> Float { Float(double(forKey: key)) }

  /// The value as it was set: a `Bool`, `Int`, `Double`, `String` or `Data`; nil when there is none.
  public func object(forKey key: String) -> Any? { value(key)?.object }

  /// The same as ``object(forKey:)``.
  public func value(forKey key: String) -> Any? { object(forKey: key) }

  private func value(_ key: String) -> DefaultsValue? {
    storage().value(forKey: key, within: DeviceDefaults.firstWait)
      ?? registered.withLock { $0[key] }
  }

  // MARK: Setting

  /// Keeps true or false.
  public func set(_ value: Bool, forKey key: String) { set(.flag(value), key) }

  /// Keeps a whole number.
  public func set(_ value: Int, forKey key: String) { set(.integer(Int64(value)), key) }

  /// Keeps a number.
  public func set(_ value: Double, forKey key: String) { set(.number(value), key) }

  /// Keeps a number.
  public func set(_ value: Float, forKey key: String) { set(.number(Double(value)), key) }

  /// Stores a `Bool`, a whole number, a `Double`, a `Float`, a `String` or a `Data`; nil removes the value.
  ///
  /// Another type is refused: standard error reports it, and the next ``flush(within:)`` throws it.
  public func set(_ value: Any?, forKey key: String) {
    guard let value else { return set(nil, key) }
    guard let form = DefaultsValue(value) else {
      return storage().refuse(key, DeviceDefaults.strange(value))
    }
    set(form, key)
  }

  /// The same as ``set(_:forKey:)-(Any?,_)``.
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }

  /// Removes a value; the registered default applies again.
  public func removeObject(forKey key: String) { set(nil, key) }

  private func set(_ value: DefaultsValue?, _ key: String) {
    storage().set(DefaultsEntry(key, value))
  }

  /// Registers defaults for keys that have no value; the defaults are not stored.
  ///
  /// Defaults of other keys stay. Values of types that ``set(_:forKey:)-(Any?,_)`` refuses are reported on
  /// standard error, and the next ``flush(within:)`` throws the refusal.
  public func register(defaults: [String: Any]) {
    for (key, value) in defaults {
      guard let form = DefaultsValue(value) else {
        storage().refuse(key, DeviceDefaults.strange(value))
        continue
      }
      registered.withLock { $0[key] = form }
    }
  }

  private static func strange(_ value: Any) -> String {
    "\(type(of: value)) is no type for defaults; make it a Bool, number, String or Data, such as by JSONEncoder"
  }

  // MARK: Being sure

  /// Waits until all earlier changes are stored.
  ///
  /// - Parameter seconds: the longest wait.
  /// - Throws: ``DeviceDefaultsError``: why a change since the last call is not stored, or not yet.
  public func flush(within seconds: Double = 30) async throws {
    if let failure = await storage().flush(within: seconds) {
      throw DeviceDefaultsError(failure)
    }
  }

  // MARK: Watching

  /// The keys of values that have changed: here, or in another process of this app.
  ///
  /// Each loop gets all changed keys from its beginning on. Several changes of a key may come as one. A loop that is
  /// too slow loses the oldest keys once 1,024 wait.
  public var changes: AsyncStream<String> { storage().changes() }
}

extension DeviceDefaultsError {
  fileprivate init(_ failure: DefaultsStorage.Failure) {
    // Not by a switch: Swift 6.0 does not take one over another library's enumeration where libraries evolve.
    let code: Code =
      if failure.kind == .limitReached {
        .limitReached
      } else if failure.kind == .notPermitted {
        .notPermitted
      } else if failure.kind == .notKept {
        .notKept
      } else {
        .daemonAbsent
      }
    self.init(code: code, text: failure.text)
  }
}
