package import CloudModel

/// A breach of the service's contract by a client, and the requests that prove it.
package struct ClientFinding: Sendable, Hashable {
    /// The rules for clients, spelled as in responses.
    package enum Rule: String, Sendable, CaseIterable {
        case oldToken = "old-token"
        case stoppedEarly = "stopped-early"
        case emptyToken = "empty-token"
        case retriedEarly = "retried-early"
        case resentWrite = "resent-write"
        case ignoredError = "ignored-error"
        case recreatedZone = "recreated-zone"
        case conflictLoop = "conflict-loop"
        case tooManyItems = "too-many-items"
        case unknownKey = "unknown-key"
        case unknownEndpoint = "unknown-endpoint"

        /// What a client does wrong, in a sentence.
        package var about: String {
            switch self {
            case .oldToken: "A change token was used that is older than one used before."
            case .stoppedEarly: "A feed was abandoned at an empty page although more was coming."
            case .emptyToken: "The empty string was sent as a token."
            case .retriedEarly: "A request was sent again before retryAfter had passed."
            case .resentWrite:
                "A write that creates new records each time was sent again after its response "
                    + "was lost."
            case .ignoredError: "Items of a batch failed, and were neither sent again nor read."
            case .recreatedZone: "A zone that was deleted elsewhere was created again."
            case .conflictLoop: "A record was saved more than five times in conflict."
            case .tooManyItems: "A request had more items than a request may have."
            case .unknownKey: "A request had a key that the operation does not support."
            case .unknownEndpoint: "A requested path is not an operation."
            }
        }

        /// What to do instead, in a sentence.
        package var remedy: String {
            switch self {
            case .oldToken:
                "Store the newest token together with the data that came with it, in one "
                    + "transaction."
            case .stoppedEarly: "Continue with the page's token until moreComing is false."
            case .emptyToken: "Omit the key to start again, or send the token that you received."
            case .retriedEarly: "Wait for the seconds in retryAfter, counted from the response."
            case .resentWrite:
                "Give each record your own name, or read before you send it again."
            case .ignoredError:
                "Check every item of a response, and retry failed ones, or read them again."
            case .recreatedZone:
                "Treat a deletion as the user's decision: remove your copy of the zone, and do "
                    + "not upload it again."
            case .conflictLoop:
                "Read the record, merge, and save with its new change tag; give up after a few "
                    + "attempts."
            case .tooManyItems: "Split the request."
            case .unknownKey: "Check the spelling of the key; the service ignores unknown keys."
            case .unknownEndpoint: "Look up the path; GET /_mock/v1/ lists all."
            }
        }
    }

    /// Counted from 1 since all findings were last discarded.
    package let number: Int
    package let rule: Rule
    package let client: ClientName
    package let address: Database.Address?
    /// The zone that it is about; nil: none.
    package let zoneName: String?
    /// Numbers of the journal, in order: the first shows what the client had to know, the last what it did.
    package let requests: [Int]
    /// What happened, in a sentence.
    package let message: String
    /// How often the same client broke the same rule in the same place; the requests are of the first time.
    package var times = 1
}
