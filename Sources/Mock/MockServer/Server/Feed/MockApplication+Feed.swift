import Basics
import CloudWire
import HTTPServer
import JSON

/// What those who watch the server are told, and when.
extension MockApplication {
    /// Has an administrative request observed, if it is one that changes something.
    func noteAdministration(_ operation: AdminOperation, isStored: Bool) {
        guard operation.isChange else { return }
        if operation.path.hasPrefix("clock") { noteClock() }
        observers.note(
            .administration(
                method: operation.method, path: operation.path, isStored: isStored))
    }

    func noteClock() { observers.note(.clock(clock.setting, now: clock.now)) }

    /// `GET feed`: what happens, as it happens.
    ///
    /// - Parameter after: Where the listener has come to; nil: what comes from now on.
    func watch(
        _ kinds: Set<FeedEvent.Kind>?, after: FeedPlace?
    ) throws(AdminError) -> RequestOutcome {
        guard observers.listeners.hasRoom else {
            throw AdminError(
                status: 503, "too many event-stream clients (limit \(FeedListeners.countMax))")
        }
        let epoch = started.milliseconds
        let oldest = observers.events.events.numbers.lowerBound
        var text = FeedText(epoch: epoch, kinds: kinds)
        text.addRetry()
        let isKnown = after?.isOf(epoch, newest: observers.events.newest) ?? true
        let place = isKnown ? after?.number ?? observers.events.newest : oldest - 1
        text.add(.hello, number: isKnown && after == nil ? place : nil) { writer in
            writer.member("after", place)
            writer.member("oldest", oldest)
            writer.member("newest", observers.events.newest)
            writer.member("generation", generation)
            writer.member("namespace", namespace?.description)
        }
        if let after, !isKnown {
            text.addGap(
                place...place, lost: 0,
                "\(after) is not an event of this server: it was restarted, or is another one")
        }
        return .watch(FeedListener(observers, text, after: place))
    }
}

extension AdminRequest {
    /// `?after=17&kinds=request,change`
    static func watch(_ input: AdminInput) throws(AdminError) -> AdminRequest {
        var kinds: Set<FeedEvent.Kind>?
        if let text = input.query["kinds"] {
            kinds = []
            for name in text.split(separator: ",") {
                guard let kind = FeedEvent.Kind(rawValue: String(name)) else {
                    let all = FeedEvent.Kind.allCases.map(\.rawValue)
                    let nearest = NearestName.closest(to: String(name), among: all) ?? ""
                    throw AdminError("unknown kind \"\(name.prefix(80))\"; nearest: \(nearest)")
                }
                kinds?.insert(kind)
            }
        }
        // A client that comes again sends the same query as the first time, and what it has got since.
        if let text = input.lastEventID, let place = FeedPlace(text) {
            return .watch(kinds, after: place)
        }
        guard let text = input.query["after"] else { return .watch(kinds, after: nil) }
        guard let place = FeedPlace(text) else {
            throw AdminError("after must be the number or the id of an event, such as 17")
        }
        return .watch(kinds, after: place)
    }
}
