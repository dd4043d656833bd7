import Basics
import CloudWire
import HTTPServer
import JSON

/// What those who watch the server are told, and when.
extension MockApplication {
    /// Keeps a request in the journal, and tells of it and of what it has done.
    func note(_ entry: RequestJournal.Entry) {
        journal.append(entry)
        metrics.note(entry)
        let number = journal.total
        feed.note(.request(number))
        for fault in entry.faults { feed.note(.fault(id: fault, request: number)) }
        noteChanges(by: number)
    }

    /// Tells of what has changed in the store since this was called last.
    ///
    /// - Parameter request: Which request has done it.
    func noteChanges(by request: Int? = nil) {
        let (changes, lost) = store.takeChanges()
        for change in changes { feed.note(.change(change, request: request)) }
        if lost > 0 { feed.noteLost(lost) }
    }

    /// Tells of an administrative request that was carried out, if it is one that changes something.
    func noteAdministration(_ operation: AdminOperation) {
        guard operation.isChange else { return }
        if operation.path.hasPrefix("clock") { noteClock() }
        feed.note(.administration(method: operation.method, path: operation.path))
    }

    func noteClock() { feed.note(.clock(clock.setting, now: clock.now)) }

    /// `GET feed`: what happens, as it happens.
    ///
    /// - Parameter after: Where the listener has come to; nil: what comes from now on.
    func watch(
        _ kinds: Set<FeedEvent.Kind>?, after: FeedPlace?
    ) throws(AdminError) -> Outcome {
        guard listeners.hasRoom else {
            throw AdminError(
                status: 503, "too many event-stream clients (limit \(FeedListeners.countMax))")
        }
        let epoch = started.milliseconds
        let oldest = feed.events.numbers.lowerBound
        var text = FeedText(epoch: epoch, kinds: kinds)
        text.addRetry()
        let isKnown = after?.isOf(epoch, newest: feed.newest) ?? true
        let place = isKnown ? after?.number ?? feed.newest : oldest - 1
        text.add(.hello, number: isKnown && after == nil ? place : nil) { writer in
            writer.member("after", place)
            writer.member("oldest", oldest)
            writer.member("newest", feed.newest)
            writer.member("generation", generation)
            writer.member("namespace", namespace?.description)
        }
        if let after, !isKnown {
            text.addGap(
                place...place, lost: 0,
                "\(after) is not an event of this server: it was restarted, or is another one")
        }
        return .watch(FeedListener(self, text, after: place))
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
