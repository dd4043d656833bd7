package import Basics
package import CloudModel

/// One request of a client and its response, as far as the rules need them.
package struct ClientExchange: Sendable {
    /// How a request ended.
    package enum Outcome: Sendable {
        case reply(CloudReply)
        /// The whole of it failed.
        case failure(CloudError)
        /// The connection was closed without a response.
        case lost
    }

    /// Of its entry in the journal.
    package var number: Int
    package var client: ClientName
    /// nil: its path has no database.
    package var address: Database.Address?
    /// nil: it could not be parsed, or its path is unknown.
    package var command: CloudCommand?
    package var outcome: Outcome
    /// Equal for identical requests.
    package var digest: UInt64 = 0
    /// When its response was sent, by the server's clock, which tests can scale, freeze and move.
    package var answered: Timestamp
    /// When it arrived, by the server's clock.
    package var arrived: Timestamp
    /// The same in nanoseconds of the monotonic clock.
    package var answeredUptime: Int64 = 0
    package var arrivedUptime: Int64 = 0
    /// What was noticed in its own text.
    package var remarks: [RequestRemark] = []

    package init(
        number: Int, client: ClientName, address: Database.Address?, command: CloudCommand?,
        outcome: Outcome, at time: Timestamp
    ) {
        self.number = number
        self.client = client
        self.address = address
        self.command = command
        self.outcome = outcome
        arrived = time
        answered = time
    }

    /// Its response; nil if it failed as a whole or the response was lost.
    var reply: CloudReply? { if case .reply(let reply) = outcome { reply } else { nil } }
    var failure: CloudError? { if case .failure(let error) = outcome { error } else { nil } }
    var isLost: Bool { if case .lost = outcome { true } else { false } }

    /// A zone of its database: equal for names of one zone.
    func place(_ zoneID: RecordZone.ID?) -> ClientPlace? {
        address.map { ClientPlace($0, zoneID) }
    }
}

/// A database or a zone of one, as a client names it.
struct ClientPlace: Sendable, Hashable {
    let address: Database.Address
    /// nil: the database.
    let zoneName: String?
    /// The owner of a zone in a shared database.
    let owner: String?

    init(_ address: Database.Address, _ zoneID: RecordZone.ID?) {
        self.address = address
        zoneName = zoneID?.zoneName
        // In other databases every zone is the caller's, with or without an owner's name.
        owner = address.scope == .shared ? zoneID?.ownerRecordName : nil
    }
}
