import CoreLocation
import Testing

/// Errors as apps catch them.
struct CLErrorTests {
  @Test func aKindIsCaughtByItsName() {
    do {
      throw CLError(.denied)
    } catch CLError.network {
      Issue.record("denied is not network")
    } catch CLError.denied {
      return
    } catch {
      Issue.record("\(error) is no CLError")
    }
  }

  @Test func anErrorIsCaughtByItsType() {
    do {
      throw CLError(.network, userInfo: [NSLocalizedDescriptionKey: "no daemon"])
    } catch let error as CLError {
      #expect(error.code == .network && error.localizedDescription == "no daemon")
    } catch {
      Issue.record("\(error) is no CLError")
    }
  }

  @Test func asAnNSErrorItKeepsDomainAndCode() {
    let error = CLError(.promptDeclined, userInfo: ["key": 7]) as NSError
    #expect(error.domain == "kCLErrorDomain" && error.code == 18)
    #expect(error.userInfo["key"] as? Int == 7)
    #expect(CLError.Code.promptDeclined ~= error)
    #expect(!(CLError.Code.denied ~= NSError(domain: "other", code: 1)))
  }

  @Test func theNumbersAreApples() {
    let kinds: [CLError.Code] = [
      .locationUnknown, .denied, .network, .headingFailure, .regionMonitoringDenied,
      .regionMonitoringFailure, .regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed,
      .geocodeFoundNoResult, .geocodeFoundPartialResult, .geocodeCanceled, .deferredFailed,
      .deferredNotUpdatingLocation, .deferredAccuracyTooLow, .deferredDistanceFiltered,
      .deferredCanceled, .rangingUnavailable, .rangingFailure, .promptDeclined,
      .historicalLocationError,
    ]
    #expect(kinds.map(\.rawValue) == Array(0...19))
    #expect(CLError.errorDomain == kCLErrorDomain && CLError(.denied).errorCode == 1)
  }

  @Test func theAlternateRegionIsInTheFurtherInformation() {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 47, longitude: 8), radius: 200, identifier: "home")
    let error = CLError(
      .regionMonitoringResponseDelayed, userInfo: [kCLErrorUserInfoAlternateRegionKey: region])
    #expect(error.alternateRegion === region)
    #expect(CLError(.regionMonitoringResponseDelayed).alternateRegion == nil)
  }

  @Test func equalErrorsAreEqual() {
    #expect(CLError(.denied) == CLError(.denied) && CLError(.denied) != CLError(.network))
    #expect(Set([CLError(.denied), CLError(.denied), CLError(.network)]).count == 2)
  }
}
