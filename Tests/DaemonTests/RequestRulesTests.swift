import BinnacleModel
import BinnacleWire
import Testing

@testable import Daemon

/// The users that may make a request.
struct RequestRulesTests {
  private static func isPermitted(
    _ request: ClientRequest, user: UInt32, mayOperate: Bool, owner: UInt32? = nil
  ) -> Bool {
    let operators = Operators(userIDs: [0], ownerID: owner, groupID: { nil })
    let peer = Peer(userID: user, processID: 9, mayOperate: mayOperate, isOperator: mayOperate)
    return ServerConnectionMachine.Request.requested(1, request).refusal(
      for: peer, operators: operators) == nil
  }

  /// A program that has taken over the daemon's user could hide the loss of a denial by accepting it.
  @Test func onlyRootMayAcceptALossOfState() {
    #expect(Self.isPermitted(.state(.accept), user: 0, mayOperate: true))
    #expect(!Self.isPermitted(.state(.accept), user: 990, mayOperate: true))
    #expect(!Self.isPermitted(.state(.accept), user: 1_000, mayOperate: false))
  }

  /// The user of a daemon of its own can remove the state anyway, and root's commands do not trust this daemon.
  @Test func theUserOfADaemonOfItsOwnMayAcceptALossOfState() {
    #expect(Self.isPermitted(.state(.accept), user: 1_000, mayOperate: true, owner: 1_000))
    #expect(!Self.isPermitted(.state(.accept), user: 1_001, mayOperate: true, owner: 1_000))
  }

  @Test(arguments: [
    ClientRequest.status, .trace, .setServices(isOn: true), .state(.read), .state(.erase(.all)),
    .state(.writes), .log(.info, isFollowed: false), .day,
  ])
  func onlyOperatorsSeeOrChangeTheWholeBoard(_ request: ClientRequest) {
    #expect(Self.isPermitted(request, user: 990, mayOperate: true))
    #expect(!Self.isPermitted(request, user: 1_000, mayOperate: false))
  }
}
