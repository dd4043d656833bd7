import Configuration

extension ApprovalRule {
    /// Refuses a plan that too few have signed.
    ///
    /// - Parameter signers: The keys with a good signature over just this plan.
    func check(_ signers: Set<String>) throws(Refusal) {
        let signed = approvers.filter { signers.contains($0.key) }
        guard signed.count < count else { return }
        let missing = approvers.filter { !signers.contains($0.key) }.map(\.name)
        let names = missing.joined(separator: ", ")
        throw Refusal(
            .tooFewApprovals,
            "the plan has \(signed.count) of the \(count) approvals that the list requires; not "
                + "signed by \(names): \"cksweep plan sign\" adds a signature to a plan file")
    }
}
