internal import AsyncOperations
internal import DonationStore
package import Donations
public import Foundation

/// One thing a person did with the app: an intent, and what the app answered to it.
///
/// Intent and response are copied when the interaction is made; ``intent`` and
/// ``intentResponse`` give copies again, so what is donated cannot change behind its back.
///
/// Unchecked: the two copies never change after `init` and never leave, and everything that can
/// change is behind a lock.
///
/// - SeeAlso: <https://developer.apple.com/documentation/sirikit/ininteraction>
open class INInteraction: NSObject, NSCopying, @unchecked Sendable {
    private struct State: Sendable {
        var direction = INInteractionDirection.unspecified
        var dateInterval: DateInterval?
        var identifier: String
        var groupIdentifier: String?
        var contentLink: ContentLink?
        var donationActionIdentifier: String?
    }

    let ownIntent: INIntent
    let ownResponse: INIntentResponse?
    private let state: Locked<State>

    /// An interaction that happens now, with an identifier of its own.
    ///
    /// - Parameters:
    ///   - intent: What was asked; copied.
    ///   - response: What the app answered; copied.
    public init(intent: INIntent, response: INIntentResponse?) {
        // The class says what its copy is; one that gives something else is used as it is.
        ownIntent = intent.copy() as? INIntent ?? intent
        ownResponse = response.map { $0.copy() as? INIntentResponse ?? $0 }
        state = Locked(
            State(
                dateInterval: DonationStore.current.map {
                    DateInterval(start: $0.configuration.now(), duration: 0)
                },
                identifier: IdentifierSource.make().uuidString))
    }

    /// What was asked.
    public var intent: INIntent { ownIntent.copy() as? INIntent ?? ownIntent }

    /// What the app answered.
    public var intentResponse: INIntentResponse? {
        ownResponse.map { $0.copy() as? INIntentResponse ?? $0 }
    }

    /// How the handling went, as the response says.
    public var intentHandlingStatus: INIntentHandlingStatus {
        ownResponse?.handlingStatus ?? .unspecified
    }

    /// Which way it went.
    public var direction: INInteractionDirection {
        get { state.withLock { $0.direction } }
        set { state.withLock { $0.direction = newValue } }
    }

    /// When it happened and how long it took: the moment of its making, unless the app sets it.
    ///
    /// nil when no store was named yet: then the moment of the donation counts.
    public var dateInterval: DateInterval? {
        get { state.withLock { $0.dateInterval } }
        set { state.withLock { $0.dateInterval = newValue } }
    }

    /// What the app deletes it by. Donating twice under one identifier is one event: the last
    /// donation counts.
    public var identifier: String {
        get { state.withLock { $0.identifier } }
        set { state.withLock { $0.identifier = newValue } }
    }

    /// What the app deletes it by together with others; nil and empty: in no group.
    public var groupIdentifier: String? {
        get { state.withLock { $0.groupIdentifier } }
        set { state.withLock { $0.groupIdentifier = newValue } }
    }

    /// The content in a cloud container that it is about, so that it goes when the content goes
    /// there. Not in Apple's interface.
    package var contentLink: ContentLink? {
        get { state.withLock { $0.contentLink } }
        set { state.withLock { $0.contentLink = newValue } }
    }

    /// What the app calls the act that it tells of, so that an audit finds two donations of one
    /// act. Not in Apple's interface.
    public var donationActionIdentifier: String? {
        get { state.withLock { $0.donationActionIdentifier } }
        set { state.withLock { $0.donationActionIdentifier = newValue } }
    }

    /// The value of a parameter of the intent, or of one of the response when its class is named.
    public func parameterValue(for parameter: INParameter) -> Any? {
        let name = parameter.parameterKeyPath
        var value: Any?
        if type(of: ownIntent) == parameter.parameterClass {
            value = ownIntent.parameters.first { $0.name == name }?.read(ownIntent)
        } else if let response = ownResponse, type(of: response) == parameter.parameterClass {
            value = type(of: response).donationParameters.first { $0.name == name }?.read(response)
        }
        guard let list = value as? [Any] else { return value }
        let index = parameter.index(forSubKeyPath: name)
        return index == NSNotFound ? value : list.indices.contains(index) ? list[index] : nil
    }

    /// An interaction with the same values, identifier included: the same event.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = INInteraction(intent: ownIntent, response: ownResponse)
        copy.direction = direction
        copy.dateInterval = dateInterval
        copy.identifier = identifier
        copy.groupIdentifier = groupIdentifier
        copy.contentLink = contentLink
        copy.donationActionIdentifier = donationActionIdentifier
        return copy
    }
}
