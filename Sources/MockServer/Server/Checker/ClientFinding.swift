package import CloudModel

/// A breach of the service's contract by a client, and the requests that prove it.
package struct ClientFinding: Sendable, Hashable {
    /// The rules that clients are held to, spelled as in answers.
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
            case .oldToken: "A change token was used that is older than one already in use."
            case .stoppedEarly: "A feed was left at an empty page although more was to come."
            case .emptyToken: "The empty string was sent as a token."
            case .retriedEarly: "A request was sent again before retryAfter was over."
            case .resentWrite:
                "A write that makes new records each time was sent again after its answer was lost."
            case .ignoredError: "Items of a batch failed, and nobody came back to them."
            case .recreatedZone: "A zone that somebody else had deleted was made again."
            case .conflictLoop: "A record was saved more than five times in conflict."
            case .tooManyItems: "A request had more items than a request may have."
            case .unknownKey: "A request had a key that the operation does not know."
            case .unknownEndpoint: "A path was asked for that leads to no operation."
            }
        }

        /// What to do instead, in a sentence.
        package var remedy: String {
            switch self {
            case .oldToken:
                "Keep the newest token together with the data that came with it, and write both in "
                    + "one transaction."
            case .stoppedEarly: "Go on with the page's token until moreComing is false."
            case .emptyToken: "Leave the key away to begin anew, or send the token you were given."
            case .retriedEarly: "Wait as many seconds as retryAfter says, from the answer on."
            case .resentWrite:
                "Give each record a name of your own, or look what is there before you send it again."
            case .ignoredError:
                "Go through every item of an answer, and retry what failed, or read it again."
            case .recreatedZone:
                "Take a deletion as the person's wish: remove what you kept of the zone, and do not "
                    + "upload it again."
            case .conflictLoop:
                "Read the record, merge, and save with its new change tag; give up after some tries."
            case .tooManyItems: "Split the request."
            case .unknownKey: "Look up how the key is spelled; the service ignores it as it is."
            case .unknownEndpoint: "Look up the path; GET /_mock/v1/ lists all."
            }
        }
    }

    /// Counted from 1 since the last time that all were forgotten.
    package let number: Int
    package let rule: Rule
    package let client: ClientName
    package let address: Database.Address?
    /// Which zone it is about; nil: none.
    package let zoneName: String?
    /// Numbers of the journal, in order: what shows that the client had to know, and what it did.
    package let requests: [Int]
    /// What happened, in a sentence.
    package let message: String
    /// How often the same client broke the same rule in the same place; the requests are of the first time.
    package var times = 1
}
