import BinnacleModel
import Testing

@testable import CoreLocation

struct RequestMachineTests {
  private let undetermined = AuthorizationState(.notDetermined)
  private var machine = RequestMachine(.authorization)

  /// A request that the user was asked about, and whose connection has ended.
  private var interrupted: RequestMachine {
    var machine = machine
    _ = machine.arrived(.authorizationRequestInProgress, authorization: undetermined)
    machine.disconnected(authorization: undetermined)
    return machine
  }

  @Test func aRequestThatIsNotAskedForIsOverAtOnce() {
    var machine = machine
    let isOver = machine.arrived([], authorization: undetermined)
    #expect(isOver && !machine.wasAsked)
  }

  @Test func aRequestThatIsNotAskedForIsOverAfterAReconnectToo() {
    var machine = machine
    machine.disconnected(authorization: undetermined)
    let isOver = machine.arrived([], authorization: undetermined)
    #expect(isOver && !machine.wasAsked)
  }

  @Test(arguments: [[], .authorizationDenied, .fullAccuracyDenied] as [SessionFlags])
  func anAnswerEndsARequest(_ flags: SessionFlags) {
    var machine = machine
    let isOverBefore = machine.arrived(
      .authorizationRequestInProgress, authorization: undetermined)
    #expect(!isOverBefore)
    let isOver = machine.arrived(flags, authorization: undetermined)
    #expect(isOver && machine.wasAsked)
  }

  @Test func anInterruptedRequestLastsUntilItIsAskedForAgainAndAnswered() {
    var machine = interrupted
    for _ in 0..<2 {
      let isOver = machine.arrived([], authorization: undetermined)
      #expect(!isOver && !machine.authorizationChanged(to: undetermined))
      machine.disconnected(authorization: undetermined)
    }
    let isOverBefore = machine.arrived(
      .authorizationRequestInProgress, authorization: undetermined)
    #expect(!isOverBefore)
    let isOver = machine.arrived([], authorization: undetermined)
    #expect(isOver && machine.wasAsked)
  }

  @Test(
    arguments: [
      .authorizationDenied, .alwaysAuthorizationDenied, .fullAccuracyDenied,
      .authorizationRestricted,
    ] as [SessionFlags])
  func aReasonEndsAnInterruptedRequest(_ flags: SessionFlags) {
    var machine = interrupted
    let isOver = machine.arrived(flags, authorization: undetermined)
    #expect(isOver && machine.wasAsked)
  }

  @Test(arguments: [
    AuthorizationState(.whenInUse), AuthorizationState(.denied),
  ])
  func anAnswerWhileTheDaemonWasAwayEndsARequest(_ new: AuthorizationState) {
    var machine = interrupted
    // The authorization of the earlier connection says nothing, and the new one comes after the diagnostic.
    #expect(!machine.authorizationChanged(to: new))
    let isOver = machine.arrived([], authorization: undetermined)
    #expect(!isOver && machine.authorizationChanged(to: new))
    // The other order.
    machine = interrupted
    let isOverAtOnce = machine.arrived([], authorization: new)
    #expect(isOverAtOnce)
  }

  @Test func whileARequestIsInProgressANewAuthorizationDoesNotEndIt() {
    var machine = machine
    _ = machine.arrived(.authorizationRequestInProgress, authorization: undetermined)
    // The user has allowed use, and is asked for use at all times now.
    #expect(!machine.authorizationChanged(to: AuthorizationState(.whenInUse)))
    machine.disconnected(authorization: AuthorizationState(.whenInUse))
    let isOver = machine.arrived([], authorization: AuthorizationState(.whenInUse))
    #expect(!isOver)
  }

  /// A restart of the daemon ends full accuracy that was given for a while.
  @Test func anotherAccuracyDoesNotEndARequestForAuthorization() {
    let exact = AuthorizationState(.whenInUse)
    var machine = machine
    _ = machine.arrived(.authorizationRequestInProgress, authorization: exact)
    machine.disconnected(authorization: exact)
    let isOver = machine.arrived([], authorization: exact)
    #expect(!isOver)
    #expect(!machine.authorizationChanged(to: AuthorizationState(.whenInUse, isReduced: true)))
    #expect(machine.authorizationChanged(to: AuthorizationState(.always)))
  }

  @Test func aRequestForFullAccuracyLastsWhileTheAppHasReducedAccuracyAndAnAuthorization() {
    let before = AuthorizationState(.whenInUse, isReduced: true)
    var machine = RequestMachine(.accuracy)
    _ = machine.arrived(.authorizationRequestInProgress, authorization: before)
    machine.disconnected(authorization: before)
    let isOver = machine.arrived([], authorization: before)
    #expect(!isOver)
    #expect(!machine.authorizationChanged(to: AuthorizationState(.always, isReduced: true)))
    #expect(machine.authorizationChanged(to: AuthorizationState(.whenInUse)))
    #expect(machine.authorizationChanged(to: AuthorizationState(.denied, isReduced: true)))
  }
}
