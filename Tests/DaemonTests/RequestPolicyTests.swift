import BinnacleModel
import BinnacleWire
import Testing

@testable import Daemon

/// The users that may make a request.
struct RequestPolicyTests {
  private static func isPermitted(_ request: ClientRequest, user: UInt32, mayOperate: Bool) -> Bool
  {
    let peer = Peer(userID: user, processID: 9, mayOperate: mayOperate, isOperator: mayOperate)
    return ServerConnectionMachine.Request.requested(1, request).refusal(for: peer) == nil
  }

  /// A program that has taken over the daemon's user could hide the loss of a denial by accepting it.
  @Test func onlyRootMayAcceptALossOfState() {
    #expect(Self.isPermitted(.state(.accept), user: 0, mayOperate: true))
    #expect(!Self.isPermitted(.state(.accept), user: 990, mayOperate: true))
    #expect(!Self.isPermitted(.state(.accept), user: 1_000, mayOperate: false))
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
