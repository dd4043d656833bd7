package import CloudModel

extension Courier {
    /// Bounds of time and work.
    package struct Limits: Sendable, Hashable {
        /// Requests in flight at once, everywhere together.
        package var parallelism = 16
        /// Requests in flight at once to one database.
        package var perDatabase = 8
        /// Nothing is sent after this long; nil: no limit.
        package var maxDuration: Duration?
        /// Attempts at one request that fails for a reason other than a throttle.
        package var attemptsMax = 8
        /// All waits for one database together, its throttles included; more is given up.
        package var waitMax: Duration = .seconds(1800)
        package init() {}
    }

    /// Why a request has no answer.
    package enum Failure: Error, Sendable, Hashable {
        /// The database's last word, after all retries.
        case refused(CloudError)
        /// Nothing more may be sent.
        case stopped
        /// Somebody else is signed in than the change was meant for; it was not sent.
        case otherPerson
    }

    /// What was sent so far.
    package struct Counts: Sendable, Hashable {
        package var requests = 0
        /// Requests that are sent and not answered yet.
        package var inFlight = 0
        package var retries = 0
    }

    /// What happens on the way.
    package enum Event: Sendable {
        case counted(Counts)
        /// A request failed and will be repeated.
        ///
        /// - Parameter of: Attempts that it gets, throttles not counted.
        case waiting(Database.Address, CloudError.Code, wait: Duration, attempt: Int, of: Int)
    }
}

/// Gives the database at an address, to look at only.
package typealias ReadableDatabases = @Sendable (Database.Address) -> any CloudDatabaseReading
/// Gives the database at an address, to change as well.
package typealias WritableDatabases = @Sendable (Database.Address) -> any CloudDatabase

extension CloudReply {
    /// The longest that an item of the answer asks to wait; nil when none does.
    var longestWait: Duration? {
        let errors: [CloudError] =
            switch self {
            case .zones(let items):
                items.compactMap { if case .failure(_, let e) = $0 { e } else { nil } }
            case .records(let reply):
                reply.records.compactMap { if case .failure(_, let e) = $0 { e } else { nil } }
            case .shares(let items):
                items.compactMap { if case .failure(_, let e) = $0 { e } else { nil } }
            case .subscriptions(let items):
                items.compactMap { if case .failure(_, let e) = $0 { e } else { nil } }
            case .zoneChanges(let items):
                items.compactMap { if case .failure(_, let e) = $0 { e } else { nil } }
            case .users(let items):
                items.compactMap { if case .failure(_, let e) = $0 { e } else { nil } }
            case .assetUploads(let items):
                items.compactMap { if case .failure(_, let e) = $0 { e } else { nil } }
            case .assets(let items):
                items.compactMap { if case .failure(_, let e) = $0 { e } else { nil } }
            case .recordPages(let items):
                items.compactMap { if case .failure(let e) = $0 { e } else { nil } }
            case .zonePage, .recordPage, .user, .pushToken, .done: []
            }
        return errors.compactMap(\.retryAfter).max()
    }
}
