/// Holds the addenda of a ledger to the statements that they are about, one entry after the other.
struct AddendumTally {
    /// The digest of the newest statement of each run.
    private var statements: [String: String] = [:]
    /// The newest addendum of each run.
    private var last: [String: (number: Int, digest: String)] = [:]

    mutating func take(statement digest: String, of run: String) {
        statements[run] = digest
    }

    /// - Parameter digest: Of the addendum's file.
    /// - Throws: `addendum` when it is about a statement that is not in the ledger before it, or is not
    ///   the next of its run.
    mutating func take(
        _ addendum: Addendum, _ digest: String, at index: Int
    ) throws(EvidenceError) {
        let before = last[addendum.run]
        guard statements[addendum.run] == addendum.statement,
            addendum.number == (before?.number ?? 0) + 1, addendum.previous == before?.digest
        else {
            throw EvidenceError(
                .addendum,
                "entry \(index) is an addendum to something other than the entries before it")
        }
        last[addendum.run] = (addendum.number, digest)
    }
}
