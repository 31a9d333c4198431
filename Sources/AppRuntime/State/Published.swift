/// A property whose changes are visible in the views that show its object.
///
///     @MainActor final class Trip: ObservableObject {
///       @Published var count = 0
///     }
///
/// The subscribers are informed before the property has its new value. A `didSet` of the property runs afterwards, as with
/// any other property.
@propertyWrapper
public struct Published<Value> {
  private let storage: Storage

  /// The value, and the publishers that it informs.
  final class Storage {
    var value: Value
    var objectWillChange: ObservableObjectPublisher?
    /// The loops over the values; each returns whether it goes on.
    var readers: [(Value) -> Bool] = []

    init(_ value: Value) {
      self.value = value
    }
  }

  /// A property with a first value.
  public init(wrappedValue: Value) {
    storage = Storage(wrappedValue)
  }

  /// A property with a first value.
  public init(initialValue: Value) {
    self.init(wrappedValue: initialValue)
  }

  /// Not usable: only a class has properties that are published.
  @available(*, unavailable, message: "@Published is for properties of classes")
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }

  /// The values of the property: the present one and each later one.
  public var projectedValue: Publisher { Publisher(storage: storage) }

  /// The property of an object.
  public static subscript<Object: ObservableObject>(
    _enclosingInstance object: Object,
    wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
    storage storage: ReferenceWritableKeyPath<Object, Published<Value>>
  ) -> Value {
    get { object[keyPath: storage].storage.value }
    set {
      let inside = object[keyPath: storage].storage
      // An object may have its own publisher. Its properties then have no shared publisher.
      (inside.objectWillChange ?? object.objectWillChange).send()
      inside.readers.removeAll { !$0(newValue) }
      inside.value = newValue
    }
  }

  /// The values of a property: the present one first, and then each new one before the property has it.
  ///
  ///     for await count in trip.$count.values { … }
  ///
  /// Combine's operators and `sink` are not there.
  public struct Publisher {
    fileprivate let storage: Storage
  }
}

extension Published.Publisher where Value: Sendable {
  /// The values for one loop; a loop that is too slow loses the oldest values once 64 wait.
  public var values: AsyncStream<Value> {
    let (stream, reader) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(64))
    reader.yield(storage.value)
    storage.readers.append { value in
      if case .terminated = reader.yield(value) { false } else { true }
    }
    return stream
  }
}

/// A property of an object, whatever its value is.
protocol PublishedProperty {
  var objectWillChange: ObservableObjectPublisher? { get }
  func share(_ publisher: ObservableObjectPublisher)
}

extension Published: PublishedProperty {
  var objectWillChange: ObservableObjectPublisher? { storage.objectWillChange }

  func share(_ publisher: ObservableObjectPublisher) { storage.objectWillChange = publisher }
}
