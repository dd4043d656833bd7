internal import Foundation

/// A call without picture; older than ``INStartCallIntent``.
public final class INStartAudioCallIntent: INIntent {
    /// A call.
    public convenience init(
        destinationType: INCallDestinationType, contacts: [INPerson]?
    ) {
        self.init()
        values["destinationType"] = destinationType.rawValue
        values["contacts"] = contacts
    }

    /// Whom it reaches.
    public var destinationType: INCallDestinationType { code("destinationType", or: .unknown) }

    /// Who is called.
    public var contacts: [INPerson]? { value("contacts") }

    public override class var donationParameters: [INParameterTable.Entry] {
        [
            .init(stored: "destinationType", \INStartAudioCallIntent.destinationType),
            .init(stored: "contacts", \INStartAudioCallIntent.contacts),
        ]
    }

    public override class var donationCombinations: [INParameterTable.Combination] {
        [
            .init(["contacts"], title: "Call ${contacts}")
        ]
    }

    public override func handlingPhases(of handler: Any) -> INIntentPhases? {
        guard let handler = handler as? any INStartAudioCallIntentHandling else { return nil }
        return INIntentPhases(
            for: INStartAudioCallIntent.self,
            resolving: [:],
            confirming: { handler.confirm(intent: $0, completion: $1) },
            handling: { handler.handle(intent: $0, completion: $1) })
    }
}
