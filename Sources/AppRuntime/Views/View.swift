/// A part of what the app shows: lines of text in the app's output.
///
///     struct ContentView: View {
///       @ObservedObject var trip = Trip.shared
///
///       var body: some View {
///         VStack {
///           Text("Locations: \(trip.count)")
///           Button("Stop") { trip.stop() }
///         }
///       }
///     }
@MainActor
public protocol View {
  /// The type of the body.
  associatedtype Body: View
  /// The views that this view consists of.
  @ViewBuilder var body: Body { get }
}

/// A view that makes its lines itself.
@MainActor
protocol DrawnView {
  func draw(at place: ViewPlace) -> [String]
}

extension Never: View, Scene {
  public typealias Body = Never

  /// Not usable: there is no value of this type.
  public var body: Never {
    let reason = "no value of this type"
    // With `return` no builder is inferred: there is one for views and one for scenes.
    return preconditionFailure(reason)
  }
}

extension View where Body == Never {
  /// Not usable: a view of this module has no body.
  public var body: Never {
    preconditionFailure("\(Self.self) has no body")
  }
}
