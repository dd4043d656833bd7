/// One fresh look at everything in scope, with all that a proof needs of it.
struct Pass: Sendable {
    let record: VerificationPass
    /// Whose data was looked at, and where.
    let binding: ProofBinding
    /// What is there and should not be, row by row.
    var left: [RowKey: Int]
    /// What today's rules keep, row by row.
    let kept: [RowKey: KeptCount]
    /// Of what is left, what the plan named.
    var leftOfPlan: [RowKey: Int] = [:]
    /// What should be there and is not, row by row.
    var keptMissing: [RowKey: Int]
    /// What is said about rows with something left.
    var remarks: [RowKey: String]
    let inventory: Inventory

    /// Whether nothing is left, nothing that is kept is missing, and every place was read.
    ///
    /// - Parameter excused: What could not be read before either, and was allowed not to be.
    func isSettled(excusing excused: Set<CoverageRow.Place>) -> Bool {
        left.isEmpty && keptMissing.isEmpty
            && inventory.unread.allSatisfy { excused.contains($0.place) }
    }
}
