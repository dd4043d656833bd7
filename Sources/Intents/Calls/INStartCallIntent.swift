internal import Foundation

/// A call to somebody.
public final class INStartCallIntent: INIntent {
    /// A call.
    public convenience init(
        audioRoute: INCallAudioRoute, destinationType: INCallDestinationType, contacts: [INPerson]?,
        recordTypeForRedialing: INCallRecordType, callCapability: INCallCapability
    ) {
        self.init()
        values["audioRoute"] = audioRoute.rawValue
        values["destinationType"] = destinationType.rawValue
        values["contacts"] = contacts
        values["recordTypeForRedialing"] = recordTypeForRedialing.rawValue
        values["callCapability"] = callCapability.rawValue
    }

    /// A call to people.
    public convenience init(
        contacts: [INPerson]?, callCapability: INCallCapability
    ) {
        self.init()
        values["contacts"] = contacts
        values["callCapability"] = callCapability.rawValue
    }

    /// Where the sound goes.
    public var audioRoute: INCallAudioRoute { code("audioRoute", or: .unknown) }

    /// Whom it reaches.
    public var destinationType: INCallDestinationType { code("destinationType", or: .unknown) }

    /// Who is called.
    public var contacts: [INPerson]? { value("contacts") }

    /// Which former call to repeat.
    public var recordTypeForRedialing: INCallRecordType {
        code("recordTypeForRedialing", or: .unknown)
    }

    /// What it carries.
    public var callCapability: INCallCapability { code("callCapability", or: .unknown) }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "audioRoute", \INStartCallIntent.audioRoute),
            .init(stored: "destinationType", \INStartCallIntent.destinationType),
            .init(stored: "contacts", \INStartCallIntent.contacts),
            .init(stored: "recordTypeForRedialing", \INStartCallIntent.recordTypeForRedialing),
            .init(stored: "callCapability", \INStartCallIntent.callCapability),
        ]
    }

    public override class var donationCombinations: [INParameterTable.Combination] {
        [
            .init(["contacts"], title: "Call ${contacts}")
        ]
    }

    public override func handlingPhases(of handler: Any) -> INIntentPhases? {
        guard let handler = handler as? any INStartCallIntentHandling else { return nil }
        return INIntentPhases(
            for: INStartCallIntent.self,
            resolving: [
                "contacts": { intent, answer in
                    handler.resolveContacts(for: intent) { answer(.list($0)) }
                }
            ],
            confirming: { handler.confirm(intent: $0, completion: $1) },
            handling: { handler.handle(intent: $0, completion: $1) })
    }
}
