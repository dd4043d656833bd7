package import JSON

/// Events as server-sent events.
///
/// - SeeAlso: <https://html.spec.whatwg.org/multipage/server-sent-events.html>
package struct FeedText {
    /// About how many bytes are made at once.
    static let bytesMax = 64 << 10
    /// Sent if nothing happened for a while, to find out which clients have disconnected.
    static let beat = Array(": nothing new\n\n".utf8)

    private(set) var bytes: [UInt8] = []
    /// When the server began to keep the feed, in milliseconds since 1970.
    let epoch: Int64
    /// What is written; nil: all.
    let kinds: Set<FeedEvent.Kind>?

    package init(epoch: Int64, kinds: Set<FeedEvent.Kind>?) {
        self.epoch = epoch
        self.kinds = kinds
    }

    /// How long a client waits before it asks again.
    package mutating func addRetry() { bytes += "retry: 1000\n\n".utf8 }

    /// Writes an event.
    ///
    /// - Parameter number: nil: it has no place of its own.
    package mutating func add(
        _ kind: FeedEvent.Kind, number: Int?, _ fill: (inout JSONWriter) -> Void
    ) {
        let isWanted =
            switch kind {
            case .hello, .gap, .end: true
            default: kinds?.contains(kind) ?? true
            }
        guard isWanted else { return }
        if let number { bytes += "id: \(FeedPlace(epoch: epoch, number: number))\n".utf8 }
        bytes += "event: \(kind.rawValue)\ndata: ".utf8
        var writer = JSONWriter()
        writer.object(fill)
        // JSON has no line ends but those that are escaped.
        bytes += writer.bytes
        bytes += "\n\n".utf8
    }

    /// Writes that events are missing.
    package mutating func addGap(_ numbers: ClosedRange<Int>, lost: Int? = nil, _ reason: String) {
        add(.gap, number: numbers.upperBound) { writer in
            writer.member("from", numbers.lowerBound)
            writer.member("to", numbers.upperBound)
            writer.member("lost", lost ?? numbers.count)
            writer.member("reason", reason)
        }
    }

    /// Writes what a feed has after a place, until that is enough.
    ///
    /// - Returns: The place of the last event written, or left out as not wanted.
    mutating func add(_ feed: EventFeed, after place: Int, _ journal: RequestJournal) -> Int {
        let kept = feed.events.numbers
        var place = place
        if place + 1 < kept.lowerBound {
            addGap(place + 1...kept.lowerBound - 1, "these events are no longer available")
            place = kept.lowerBound - 1
        }
        while place < feed.newest, bytes.count < Self.bytesMax {
            place += 1
            if let event = feed.events[place] { add(event, place, journal) }
        }
        return place
    }

    private mutating func add(_ event: FeedEvent, _ number: Int, _ journal: RequestJournal) {
        switch event {
        case .lost(let count):
            addGap(number...number, lost: count, "they were too many, or are unknown")
        case .request(let request):
            guard let entry = journal.entry(request) else {
                return addGap(number...number, "the journal no longer has the request")
            }
            add(.request, number: number) { entry.writeMembers(to: &$0) }
        default: add(event.kind, number: number) { event.writeMembers(to: &$0) }
        }
    }
}

extension FeedEvent {
    /// What an event says that is not of the journal.
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .request, .lost: break
        case .fault(let id, let request):
            writer.member("fault", id)
            writer.member("request", request)
        case .change(let change, let request):
            writer.member("kind", change.kind.rawValue)
            let address = change.database.address
            writer.member("container", address.container.rawValue)
            writer.member("environment", address.environment.rawValue)
            writer.member("database", address.scope.rawValue)
            if !change.database.user.isEmpty { writer.member("user", change.database.user) }
            writer.member("zone", change.zoneName)
            writer.member("record", change.recordName)
            writer.member("recordType", change.recordType)
            writer.member("request", request)
        case .clock(let setting, let now):
            writer.member("mode", setting.mode.rawValue)
            writer.member("rate", setting.pace)
            writer.member("milliseconds", now.milliseconds)
            writer.member("now", now.iso8601)
        case .reset(let generation): writer.member("generation", generation)
        case .administration(let method, let path, _):
            writer.member("method", method)
            writer.member("path", path)
        }
    }
}
