package import Basics
package import CloudModel

/// One request of a client and how it was answered, as far as the checker looks.
package struct ClientExchange: Sendable {
    /// How a request ended.
    package enum Outcome: Sendable {
        case reply(CloudReply)
        /// The whole of it failed.
        case failure(CloudError)
        /// The connection was closed without an answer.
        case lost
    }

    /// Of its entry in the journal.
    package var number: Int
    package var client: ClientName
    /// nil: it leads to no database.
    package var address: Database.Address?
    /// nil: it could not be read, or led nowhere.
    package var command: CloudCommand?
    package var outcome: Outcome
    /// Equal for requests that ask for the same in the same words.
    package var digest: UInt64 = 0
    /// When its answer was sent, by the server's clock: scaled, frozen or moved, as tests like it.
    package var answered: Timestamp
    /// When it came, by the server's clock.
    package var arrived: Timestamp
    /// The same in nanoseconds of the monotonic clock.
    package var answeredUptime: Int64 = 0
    package var arrivedUptime: Int64 = 0
    /// What stands out in its own text.
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

    /// What it was answered with; nil where there is no such answer.
    var reply: CloudReply? { if case .reply(let reply) = outcome { reply } else { nil } }
    var failure: CloudError? { if case .failure(let error) = outcome { error } else { nil } }
    var isLost: Bool { if case .lost = outcome { true } else { false } }

    /// A zone of its database, so that those are equal that are one zone to the client.
    func place(_ zoneID: RecordZone.ID?) -> ClientPlace? {
        address.map { ClientPlace($0, zoneID) }
    }
}

/// A database or a zone of one, as a client names it.
struct ClientPlace: Sendable, Hashable {
    let address: Database.Address
    /// nil: the database.
    let zoneName: String?
    /// Of zones of others, whose they are.
    let owner: String?

    init(_ address: Database.Address, _ zoneID: RecordZone.ID?) {
        self.address = address
        zoneName = zoneID?.zoneName
        // In other databases every zone is the caller's, whether they say so or not.
        owner = address.scope == .shared ? zoneID?.ownerRecordName : nil
    }
}
