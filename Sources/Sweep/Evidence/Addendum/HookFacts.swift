package import Basics

/// That a hook of the operator's was told how a run ended, and what came of that. It says nothing about
/// the person's data.
package struct HookFacts: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case command
        case webhook
    }

    /// Why a hook did not do what it is there for.
    package enum Failure: String, Sendable, CaseIterable {
        case notStarted
        /// The program ended with another status than 0.
        case exitStatus
        case outOfTime
        /// The server does not want it.
        case refused
        /// The server is elsewhere: nobody follows there.
        case redirected
        case unreachable
        /// The server's certificate is not one that is trusted.
        case untrusted
        /// Somebody asked to stop.
        case stopped
    }

    /// Counts from 1, in the order of the list.
    package let position: Int
    package let kind: Kind
    /// What the hook was told as the name of this delivery: 16 bytes in hexadecimal.
    package let id: String
    package let endedAt: Timestamp
    /// Attempts that were made.
    package let attempts: Int
    /// nil: it worked.
    package let failure: Failure?
    /// The program's exit status or the HTTP status, where there was one.
    package let status: Int?

    package init(
        position: Int, kind: Kind, id: String, endedAt: Timestamp, attempts: Int,
        failure: Failure?, status: Int?
    ) {
        self.position = position
        self.kind = kind
        self.id = id
        self.endedAt = endedAt
        self.attempts = attempts
        self.failure = failure
        self.status = status
    }

    var canonical: CanonicalValue {
        .object([
            ("attempts", .number(Int64(attempts))), ("endedAt", .number(endedAt.milliseconds)),
            ("failure", .optional(failure?.rawValue)), ("id", .text(id)),
            ("kind", .text(kind.rawValue)), ("position", .number(Int64(position))),
            ("status", .optional(status.map(Int64.init))),
        ])
    }

    init(_ members: consuming Members) throws(EvidenceError) {
        position = try members.count("position")
        kind = try members.word("kind", Kind.self)
        id = try members.digest("id", bytes: 16)
        endedAt = try members.time("endedAt")
        attempts = try members.count("attempts")
        failure =
            try members.optionalText("failure").map { text throws(EvidenceError) in
                guard let failure = Failure(rawValue: text) else {
                    throw EvidenceError(.fields, "a hook failed in an unknown way")
                }
                return failure
            }
        status = try members.optionalCount("status")
        try members.finish()
    }
}
