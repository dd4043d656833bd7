import Basics
internal import CloudModel
internal import DonationStore
internal import Donations
internal import Foundation

/// Makes a store's row of an interaction.
enum InteractionRow {
    /// The row of `interaction` as it is now.
    ///
    /// - Throws: `StoredValue.Failure` when a parameter holds what cannot be stored.
    static func donation(
        of interaction: INInteraction, in store: DonationStore, isFromSiri: Bool = false
    ) throws(StoredValue.Failure) -> Donation {
        let intent = interaction.ownIntent
        let response = interaction.ownResponse
        let payload = try payload(of: intent, response: response)
        let interval = interaction.dateInterval
        var row = Donation(
            .interaction, identifier: interaction.identifier, type: intent.intentClassName,
            at: interval.map { Timestamp($0.start) } ?? store.configuration.moment)
        row.end = interval.map { Timestamp($0.end) } ?? row.begin
        // The store takes an empty group for none (A13).
        row.group = interaction.groupIdentifier
        row.isFromSiri = isFromSiri
        row.eligibility = .prediction
        row.title = intent.intentDescription
        row.suggestedInvocationPhrase = intent.suggestedInvocationPhrase
        row.predictionKey = Donation.predictionKey(
            parameters: payload.parameters, combinations: payload.combinations)
        row.payload = payload.encoded
        row.numbers = [
            "direction": Int64(interaction.direction.rawValue),
            "status": Int64(interaction.intentHandlingStatus.rawValue),
        ]
        if !intent.shortcutAvailability.isEmpty {
            row.numbers["availability"] = Int64(intent.shortcutAvailability.rawValue)
        }
        row.nestedActivity = try response?.userActivity.map(nested)
        row.images = intent.images.sorted { $0.key < $1.key }.compactMap { name, image in
            image.storedBytes.map { Donation.Image(parameter: name, bytes: $0) }
        }
        row.mentions = mentions(of: payload)
        row.link = interaction.contentLink
        row.actionID = interaction.donationActionIdentifier
        // Ride options hold for a while only, and so does what tells of them.
        row.expiration = (response as? INListRideOptionsIntentResponse)?.expirationDate
            .map { Timestamp($0) }
        return row
    }

    /// What is stored of an intent and its response.
    static func payload(
        of intent: INIntent, response: INIntentResponse? = nil
    ) throws(StoredValue.Failure) -> InteractionPayload {
        var payload = InteractionPayload(
            parameters: try values(of: intent, intent.parameters),
            combinations: intent.combinations.map(\.parameters))
        if let response {
            payload.response = try values(of: response, type(of: response).donationParameters)
        }
        for (name, image) in intent.images {
            guard image.storedBytes == nil else { continue }
            payload.images[name] = try StoredValue.encode(image.reference)
        }
        if let metadata = intent.donationMetadata {
            for case (let name, let part?) in metadata.storedParts {
                payload.metadata[name] = try StoredValue.encode(part)
            }
        }
        return payload
    }

    private static func values(
        of object: AnyObject, _ entries: [INParameterTable.Entry]
    ) throws(StoredValue.Failure) -> [String: PayloadValue] {
        var values: [String: PayloadValue] = [:]
        for entry in entries {
            guard let value = entry.read(object) else { continue }
            values[entry.name] = try StoredValue.encode(value)
        }
        return values
    }

    private static func nested(
        _ activity: NSUserActivity
    ) throws(StoredValue.Failure) -> Donation.NestedActivity {
        var parts: [String: PayloadValue] = [:]
        parts["title"] = activity.title.map { .string($0) }
        parts["webpageURL"] = activity.webpageURL.map { .url($0.absoluteString) }
        if let userInfo = activity.userInfo {
            parts["userInfo"] = try StoredValue.encode(userInfo)
        }
        let identifier = activity.persistentIdentifier.flatMap { $0.isEmpty ? nil : $0 }
        return Donation.NestedActivity(
            activityType: activity.activityType, persistentIdentifier: identifier,
            payload: PayloadValue.dictionary(parts).encoded)
    }

    /// Every text in the parameters and the response, each once.
    private static func mentions(of payload: InteractionPayload) -> [String] {
        let values = Array(payload.parameters.values) + Array((payload.response ?? [:]).values)
        return Set(values.flatMap(\.strings).filter { !$0.isEmpty }).sorted()
    }
}
