import CloudCourier
import CloudModel
import Evidence
import Journal
import OpenSSL

/// The keys that a run works with.
struct RunKeys: Sendable {
    /// Of the state folder: one person has one pseudonym in all its runs.
    let pseudonyms: Pseudonyms
    /// Of the state folder: authenticates plans and reports.
    let state: StateKey
    /// Of this run alone, for what is shown to others.
    let caseKey: CaseKey
    /// Signs evidence; nil where nobody made a key.
    let signing: SigningKey?

    /// The note that keeps a run's ``caseKey``; it goes when the run is forgotten.
    static let caseNote = "case key"

    /// The note with the person's user record name in a container, for the operator alone; it goes
    /// when the run is forgotten.
    static func personNote(_ container: Container.ID) -> String { "person \(container)" }

    /// What writes a new case key, which stays where there is one.
    static var caseChange: JournalChange {
        .noteOnce(key: caseNote, value: SecureRandom.bytes(CaseKey.byteCount))
    }
}

extension Journal {
    /// The key of a run's pseudonyms, made where it has none yet.
    func caseKey(run: Int64) async throws(JournalError) -> CaseKey {
        if let key = try await keptCaseKey(run: run) { return key }
        try await write([RunKeys.caseChange], run: run)
        guard let key = try await keptCaseKey(run: run) else {
            throw JournalError(.corrupt, "the journal did not store a key")
        }
        return key
    }

    /// The key of a run's pseudonyms; nil once the run is forgotten.
    func keptCaseKey(run: Int64) async throws(JournalError) -> CaseKey? {
        guard let key = try await note(run: run, key: RunKeys.caseNote) else { return nil }
        guard key.count == CaseKey.byteCount else {
            throw JournalError(.corrupt, "the key of the run's pseudonyms is damaged")
        }
        return CaseKey(key)
    }
}
