import Basics
import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockService

/// The event stream.
struct EventsResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "feed", query: [.text("after"), .text("kinds")],
            answers: .events(FeedEvent.members),
            "reports requests, changes and faults as they happen, as server-sent events", watch)
    ]

    /// `GET feed`: what happens, as it happens.
    ///
    /// - Parameter after: The last event that the client received; nil: it wants new ones only.
    private func watch(
        _ kinds: Set<FeedEvent.Kind>?, after: FeedPlace?
    ) throws(MockError) -> RequestOutcome {
        guard observers.listeners.hasRoom else {
            throw MockError(
                status: 503, "too many event-stream clients (limit \(FeedListeners.countMax))")
        }
        let epoch = admin.identity.started.milliseconds
        let oldest = observers.events.events.numbers.lowerBound
        var text = FeedText(epoch: epoch, kinds: kinds)
        text.addRetry()
        let isKnown = after?.isOf(epoch, newest: observers.events.newest) ?? true
        let place = isKnown ? after?.number ?? observers.events.newest : oldest - 1
        text.add(.hello, number: isKnown && after == nil ? place : nil) { writer in
            writer.member("after", place)
            writer.member("oldest", oldest)
            writer.member("newest", observers.events.newest)
            writer.member("generation", admin.generation)
            writer.member("namespace", admin.address.namespace?.description)
        }
        if let after, !isKnown {
            text.addGap(
                place...place, lost: 0,
                "\(after) is not an event of this server: it was restarted, or is another one")
        }
        return .watch(FeedListener(observers, text, after: place))
    }

    /// `?after=17&kinds=request,change`
    private func watch() throws(MockError) -> RequestOutcome {
        var kinds: Set<FeedEvent.Kind>?
        if let text = query["kinds"] {
            kinds = []
            for name in text.split(separator: ",") {
                guard let kind = FeedEvent.Kind(rawValue: String(name)) else {
                    let all = FeedEvent.Kind.allCases.map(\.rawValue)
                    let nearest = NearestName.closest(to: String(name), among: all) ?? ""
                    throw MockError("unknown kind \"\(name.prefix(80))\"; nearest: \(nearest)")
                }
                kinds?.insert(kind)
            }
        }
        // A client that reconnects sends the same query as the first time, and the last event that it received.
        if let text = call.lastEventID, let place = FeedPlace(text) {
            return try watch(kinds, after: place)
        }
        guard let text = query["after"] else { return try watch(kinds, after: nil) }
        guard let place = FeedPlace(text) else {
            throw MockError("after must be the number or the id of an event, such as 17")
        }
        return try watch(kinds, after: place)
    }
}
