internal import AsyncOperations
internal import CoreLocation
internal import DonationStore
public import Donations
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
open class INInteraction: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
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

    // MARK: Archives

    open class var supportsSecureCoding: Bool { true }

    /// The interaction that an archive holds; nil when its intent cannot be read.
    public required init?(coder: NSCoder) {
        guard let intent = coder.decodeIfThere(INIntent.self, "intent"),
            let identifier = Archive.text("identifier", in: coder)
        else { return nil }
        let hasResponse = coder.containsValue(forKey: "response")
        let response = coder.decodeIfThere(INIntentResponse.self, "response")
        guard hasResponse == (response != nil) else { return nil }
        ownIntent = intent
        ownResponse = response
        var state = State(identifier: identifier)
        let direction = INInteractionDirection(rawValue: coder.decodeInteger(forKey: "direction"))
        state.direction = direction ?? .unspecified
        if coder.containsValue(forKey: "start") {
            state.dateInterval = DateInterval(
                start: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "start")),
                duration: max(0, coder.decodeDouble(forKey: "duration")))
        }
        state.groupIdentifier = Archive.text("group", in: coder)
        self.state = Locked(state)
    }

    open func encode(with coder: NSCoder) {
        coder.encode(ownIntent, forKey: "intent")
        if let ownResponse { coder.encode(ownResponse, forKey: "response") }
        coder.encode(direction.rawValue, forKey: "direction")
        if let dateInterval {
            coder.encode(dateInterval.start.timeIntervalSinceReferenceDate, forKey: "start")
            coder.encode(dateInterval.duration, forKey: "duration")
        }
        Archive.encode(text: identifier, "identifier", in: coder)
        Archive.encode(text: groupIdentifier, "group", in: coder)
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

    /// The content in a cloud container that the interaction is about; its donation is deleted when
    /// that content is, by `cksweep sync` and by a sweep. Not in Apple's interface.
    public var contentLink: ContentLink? {
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

    // MARK: Deleting

    /// Deletes the app's interactions with these identifiers. One that matches nothing is no
    /// error, unless the store is strict.
    ///
    /// - Parameter completion: Runs when they are gone for good, or could not be deleted.
    open class func delete(
        with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        StoreCall.run(.deletingInteractionWithIdentifiers, completion: completion) {
            $0.delete(.interactions(identifiers: identifiers), completion: $1)
        }
    }

    /// Deletes the app's interactions with these identifiers, and waits until they are gone.
    ///
    /// - Throws: ``INIntentError``.
    open class func delete(with identifiers: [String]) async throws {
        try await StoreCall.wait { delete(with: identifiers, completion: $0) }
    }

    /// Deletes the app's interactions of a group; an empty name means no group.
    ///
    /// - Parameter completion: Runs when they are gone for good, or could not be deleted.
    open class func delete(
        with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        StoreCall.run(.deletingInteractionWithGroupIdentifier, completion: completion) {
            $0.delete(.interactionGroup(groupIdentifier), completion: $1)
        }
    }

    /// Deletes the app's interactions of a group, and waits until they are gone.
    ///
    /// - Throws: ``INIntentError``.
    open class func delete(with groupIdentifier: String) async throws {
        try await StoreCall.wait { delete(with: groupIdentifier, completion: $0) }
    }

    /// Deletes every interaction the app ever donated. What Siri recorded for the app stays.
    ///
    /// - Parameter completion: Runs when they are gone for good, or could not be deleted.
    open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        StoreCall.run(.deletingAllInteractions, completion: completion) {
            $0.delete(.allInteractions, completion: $1)
        }
    }

    /// Deletes every interaction the app ever donated, and waits until they are gone.
    ///
    /// - Throws: ``INIntentError``.
    open class func deleteAll() async throws {
        try await StoreCall.wait { deleteAll(completion: $0) }
    }
}
