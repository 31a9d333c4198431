import BinnacleModel
import Testing

@testable import CoreLocation

/// Orders of iterators that wait for their turn.
struct OrderQueueTests {
  @Test func anIteratorReleasedBeforeItsOrderIsSentLeavesNoSequence() {
    let connection = DaemonConnection(program: "test") { "/nowhere" }
    let (one, two) = (
      UpdatesStorage(configuration: .default) { connection },
      UpdatesStorage(configuration: .default) { connection }
    )
    var orders = OrderQueue()
    orders.append(.close(one))
    orders.append(.open(two))
    orders.append(.close(two))
    #expect(orders.count == 1)
    orders.append(.open(two))
    guard case .close(let closed) = orders.popFirst(), closed === one,
      case .open(let opened) = orders.popFirst(), opened === two
    else {
      Issue.record("the rest stays in order")
      return
    }
    #expect(orders.isEmpty && orders.popFirst() == nil)
  }
}
