package import Basics
package import CloudWire
package import MockStore

/// An event of the event stream.
package enum FeedEvent: RecentElement {
    /// A request was answered; the number of its entry in the journal.
    case request(Int)
    case fault(id: String, request: Int)
    /// - Parameter request: nil: by a simulated event or an administrative request.
    case change(StoreChange, request: Int?)
    case clock(ServerClock.Setting, now: Timestamp)
    case reset(generation: Int)
    /// An administrative request changed something.
    ///
    /// - Parameter isStored: Whether that is in the store.
    case administration(method: String, path: String, isStored: Bool)
    /// This many events were not kept, or it is unknown whether they happened.
    case lost(Int)

    /// The name of an event. Some are sent to one client only, and are never kept.
    package enum Kind: String, CaseIterable {
        case hello, gap, request, fault, change, clock, reset, administration, end
    }

    var kind: Kind {
        switch self {
        case .request: .request
        case .fault: .fault
        case .change: .change
        case .clock: .clock
        case .reset: .reset
        case .administration: .administration
        case .lost: .gap
        }
    }

    /// Whether it happened only if its batch is committed.
    var isStored: Bool {
        switch self {
        case .request, .fault, .clock, .lost: false
        case .change, .reset: true
        case .administration(_, _, let isStored): isStored
        }
    }

    package var size: Int {
        switch self {
        case .request, .lost, .clock, .reset: 64
        case .fault(let id, _): 80 + id.utf8.count
        case .change(let change, _): change.size
        case .administration(_, let path, _): 96 + path.utf8.count
        }
    }
}

extension FeedEvent {
    /// What each kind of event has as its data.
    package static let members = Kind.allCases.map {
        Shape.Member($0.rawValue, .named($0.definition))
    }
}

extension FeedEvent.Kind {
    /// What its data is called among the definitions.
    fileprivate var definition: String {
        switch self {
        case .request: "JournalEntry"
        default: "Feed" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }
}
