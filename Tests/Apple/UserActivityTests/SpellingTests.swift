import Foundation
import SwiftFiveApp
import Testing
import UserActivity

/// Constants and the properties of hardware that is not here (F50, F51, F53).
struct SpellingTests {
    @Test func `F53 the six error constants have Apple's values`() {
        #expect(NSUserActivityErrorMinimum == 4608)
        #expect(NSUserActivityHandoffFailedError == 4608)
        #expect(NSUserActivityConnectionUnavailableError == 4609)
        #expect(NSUserActivityRemoteApplicationTimedOutError == 4610)
        #expect(NSUserActivityHandoffUserInfoTooLargeError == 4611)
        #expect(NSUserActivityErrorMaximum == 4863)
        #expect(CocoaError.userActivityHandoffFailed.rawValue == NSUserActivityHandoffFailedError)
    }

    @Test func `F50 the types of web pages and channel guides have Apple's names`() {
        #expect(NSUserActivityTypeBrowsingWeb == "NSUserActivityTypeBrowsingWeb")
        #expect(TVUserActivityTypeBrowsingChannelGuide == "TVUserActivityTypeBrowsingChannelGuide")
    }

    @Test func `F51 properties of absent hardware say so`() {
        let activity = makeActivity("here")
        #expect(activity.ndefMessagePayload.records.count == 1)
        #expect(activity.ndefMessagePayload.records.first?.typeNameFormat == .empty)
        #expect(activity.ndefMessagePayload.records.first?.payload.isEmpty == true)
        #expect(activity.detectedBarcodeDescriptor == nil)
        #expect(activity.appClipActivationPayload == nil)
        #expect(activity.contextIdentifierPath == nil)
        #expect(!activity.isClassKitDeepLink)
    }

    @Test func `F51 a place is copied, and found by its name`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let place = MKMapItem()
            place.name = "Soup kitchen"
            let activity = makeActivity("lunch")
            activity.mapItem = place
            place.name = "changed"
            activity.mapItem?.name = "changed too"
            #expect(activity.mapItem?.name == "Soup kitchen")
            activity.becomeCurrent()
            #expect(try await app.saved().first?.displayName == "Soup kitchen")
        }
    }

    @Test func `F6 everything an app can spell works in both language modes`() async throws {
        let app = try TestApp()
        try await app.run { () async throws in
            let six = try await spellings(makeActivity("six"))
            let five = try await SwiftFiveApp.spellings(makeActivity("five"))
            #expect(six.count == five.count)
        }
    }
}
