package import Donations

extension DonationStore {
    /// Replaces a list, or one part of it (D17, D18, D20).
    ///
    /// - Parameters:
    ///   - kind: One of ``DonationKind/lists``.
    ///   - scope: The part: a vocabulary's type, a setting's name; empty where there is one part.
    package func replace(
        _ kind: DonationKind, scope: String = "", with entries: [ListEntry]
    ) async throws(DonationError) {
        try await perform(writes: true) { core throws(DonationError) in
            try core.replace(kind, part: scope, with: entries)
        }
    }

    /// Replaces a list like the waiting form, without waiting.
    package func replace(
        _ kind: DonationKind, scope: String = "", with entries: [ListEntry],
        completion: @escaping @Sendable (Result<Void, DonationError>) -> Void
    ) {
        submit(
            writes: true,
            { core throws(DonationError) in try core.replace(kind, part: scope, with: entries) },
            completion: completion)
    }

    /// Adds an entry at the end of a list, or of one part of it.
    package func append(
        _ entry: ListEntry, to kind: DonationKind, scope: String = ""
    ) async throws(DonationError) {
        try await change(kind, scope: scope) { $0.append(entry) }
    }

    /// Changes a list, or one part of it, in one step.
    ///
    /// - Returns: What `body` gives.
    package func change<Answer: Sendable>(
        _ kind: DonationKind, scope: String = "",
        _ body: @escaping @Sendable (inout [ListEntry]) -> Answer
    ) async throws(DonationError) -> Answer {
        try await perform(writes: true) { core throws(DonationError) in
            var entries = try core.entries(kind, part: scope)
            let answer = body(&entries)
            try core.replace(kind, part: scope, with: entries)
            return answer
        }
    }

    /// A list's entries, or those of one part, in order.
    package func entries(
        _ kind: DonationKind, scope: String? = nil
    ) async throws(DonationError) -> [ListEntry] {
        try await perform(writes: false) { core throws(DonationError) in
            try core.entries(kind, part: scope)
        }
    }
}
