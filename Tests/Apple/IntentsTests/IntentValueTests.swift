import DonationStore
import Donations
import Foundation
import Intents
import Testing

/// The system's intents as values.
struct IntentValueTests {
    private func row(
        _ intent: INIntent, _ response: INIntentResponse? = nil
    ) async throws -> (ShopApp, Donation) {
        let app = try ShopApp()
        try await app.run { try await INInteraction(intent: intent, response: response).donate() }
        return (app, try #require(try await app.interactions().first))
    }

    @Test func `F39 ride options go when they no longer hold`() async throws {
        let response = INListRideOptionsIntentResponse(code: .success, userActivity: nil)
        let end = Date(timeIntervalSince1970: 1_700_000_600)
        let option = INRideOption(name: "Small", estimatedPickupDate: end)
        option.priceRange = INPriceRange(price: 12.5, currencyCode: "EUR")
        response.rideOptions = [option]
        response.expirationDate = end
        let intent = INListRideOptionsIntent(
            pickupLocation: CLPlacemark(name: "Home"), dropOffLocation: nil)
        let (app, row) = try await row(intent, response)
        #expect(row.expiration?.date == end)
        #expect(response.rideOptions(at: end - 1).count == 1)
        #expect(response.rideOptions(at: end).isEmpty)
        app.advance(by: 599)
        try await app.store.expire()
        #expect(try await app.count(.interaction) == 1)
        app.advance(by: 1)
        try await app.store.expire()
        #expect(try await app.count(.interaction) == 0)
    }

    @Test func `F39 a reservation is donated each time it is looked at`() async throws {
        let app = try ShopApp()
        let table = INSpeakableString(
            vocabularyIdentifier: "table-1", spokenPhrase: "Table at Luigi's",
            pronunciationHint: nil)
        let intent = INGetReservationDetailsIntent(
            reservationContainerReference: nil, reservationItemReferences: [table])
        let response = INGetReservationDetailsIntentResponse(code: .success, userActivity: nil)
        response.reservations = [
            INRestaurantReservation(
                itemReference: table, reservationNumber: "17", bookingTime: app.now,
                reservationStatus: .confirmed, reservationHolderName: "Ada", actions: nil,
                reservationDuration: INDateComponentsRange(
                    start: DateComponents(year: 2026, month: 12, day: 24, hour: 19), end: nil),
                partySize: 2, restaurantLocation: CLPlacemark(name: "Luigi's"))
        ]
        try await app.run {
            for _ in 0..<2 {
                try await INInteraction(intent: intent, response: response).donate()
                app.advance(by: 60)
            }
        }
        #expect(try await app.count(.interaction) == 2)
        #expect(try await app.store.remainder(mentioning: ["table-1"]).count == 2)
        #expect(try await app.store.remainder(mentioning: ["Luigi's"]).count == 2)
    }

    /// Each system intent with all parameters, and how many patterns it is split into.
    private func intents() -> [(INIntent, String, Int)] {
        let ada = INPerson(
            personHandle: INPersonHandle(value: "1", type: .phoneNumber), nameComponents: nil,
            displayName: "Ada", image: nil, contactIdentifier: nil, customIdentifier: nil)
        let song = INMediaItem(
            identifier: "s", title: "Song", type: .song, artwork: nil, artist: "Band")
        let (home, work) = (CLPlacemark(name: "Home"), CLPlacemark(name: "Work"))
        return [
            (
                INStartCallIntent(contacts: [ada], callCapability: .audioCall), "Call Ada", 1
            ),
            (INStartAudioCallIntent(destinationType: .normal, contacts: [ada]), "Call Ada", 1),
            (
                INPlayMediaIntent(
                    mediaItems: [song], mediaContainer: song, playShuffled: true,
                    playbackRepeatMode: .all, playbackSpeed: 1.5,
                    mediaSearch: INMediaSearch(mediaType: .song, mediaName: "Song")),
                "Play Song of Song", 3
            ),
            (
                INRequestRideIntent(
                    pickupLocation: home, dropOffLocation: work,
                    rideOptionName: INSpeakableString(spokenPhrase: "Small"), partySize: 2),
                "Ride", 3
            ),
            (
                INStartWorkoutIntent(
                    workoutName: INSpeakableString(spokenPhrase: "Run"), goalValue: 5,
                    workoutGoalUnitType: .mile, workoutLocationType: .outdoor, isOpenEnded: false),
                "Start Run", 2
            ),
            (INEndWorkoutIntent(workoutName: INSpeakableString(spokenPhrase: "Run")), "End Run", 1),
        ]
    }

    @Test func `F15 system intents are donated, split and copied`() async throws {
        for (intent, title, patterns) in intents() {
            let (_, row) = try await row(intent)
            #expect(row.type == intent.intentClassName)
            #expect(row.title?.hasPrefix(title) == true, "\(row.title ?? "")")
            #expect(row.suggestionPatterns.count == patterns, "\(row.type)")
            let copy = try #require(intent.copy() as? INIntent)
            let (_, second) = try await self.row(copy)
            #expect(second.payload == row.payload)
            #expect(INShortcut(intent: intent) != nil)
        }
    }

    @Test func `a media item names what it is by`() async throws {
        let item = INMediaItem(
            identifier: "show-1", title: "Show", type: .podcastShow, artwork: nil)
        let (app, _) = try await row(INPlayMediaIntent(mediaItems: nil, mediaContainer: item))
        #expect(try await app.store.remainder(mentioning: ["show-1"]).count == 1)
        #expect(try await app.store.remainder(mentioning: ["Show"]).count == 1)
    }

    @Test func `parameters of all property list types are stored`() async throws {
        let intent = CustomIntent(
            className: "AllIntent",
            parameters: [
                "text": "a", "number": 1, "real": 1.5, "flag": true, "date": Date(), "data": Data(),
                "url": URL(filePath: "/x"), "uuid": UUID(), "list": [1, 2],
                "dictionary": ["k": "v"], "decimal": Decimal(3),
                "object": INObject(
                    identifier: nil, display: "o"),
                "when": DateComponents(year: 2026), "code": INMediaItemType.song,
            ])
        let (_, row) = try await row(intent)
        let payload = try #require(InteractionPayload(decoding: row.payload))
        #expect(payload.parameters.count == 14)
        #expect(payload.parameters["flag"] == .bool(true))
        #expect(payload.parameters["number"] == .integer(1))
        #expect(payload.parameters["code"] == .integer(1))
    }

    @Test func `F22 an object of the app is a value that is spoken, copied and compared`()
        async throws
    {
        let soup = INObject(
            identifier: "clam", display: "Clam Chowder", pronunciationHint: "klam chowder")
        soup.subtitleString = "New England"
        soup.setAlternativeSpeakableMatches([INSpeakableString(spokenPhrase: "chowder")])
        #expect(soup.identifier == "clam" && soup.displayString == "Clam Chowder")
        #expect(soup.spokenPhrase == "Clam Chowder" && soup.vocabularyIdentifier == "clam")
        #expect(soup.pronunciationHint == "klam chowder")
        #expect(soup.alternativeSpeakableMatches?.map(\.spokenPhrase) == ["chowder"])
        let copy = try #require(soup.copy() as? INObject)
        #expect(copy == soup && copy !== soup && copy.hash == soup.hash)
        #expect(copy.alternativeSpeakableMatches?.count == 1)
        copy.subtitleString = "Manhattan"
        #expect(copy != soup && soup.subtitleString == "New England")
        #expect(INObject(identifier: nil, display: "Clam Chowder") != soup)
        // As a parameter it comes back from the store, and its names are found.
        let app = try ShopApp()
        try await app.run {
            let intent = OrderSoupIntent()
            intent.soup = soup
            try await INInteraction(intent: intent, response: nil).donate()
            let sheet = try #require(INShortcut(intent: intent))
            INVoiceShortcutCenter.shared.setShortcutSuggestions([sheet])
            try await app.store.flush()
        }
        #expect(try await app.store.remainder(mentioning: ["clam"]).count == 2)
    }
}
