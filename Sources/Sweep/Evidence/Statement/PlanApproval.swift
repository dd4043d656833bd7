package import Basics
import OpenSSL

/// Somebody's signed yes to one plan: a statement about its digest.
///
/// It names nobody but its key. Who that is, and whether it counts, says the list of whoever checks.
package struct PlanApproval: Sendable {
    package static let predicateType = "https://cksweep.dev/attestation/plan-approval/v1"

    /// What is approved.
    package struct Plan: Sendable, Hashable {
        /// SHA-256 of the plan's lines, in hexadecimal.
        package let digest: String
        package let createdAt: Timestamp
        package let expiresAt: Timestamp

        package init(digest: String, createdAt: Timestamp, expiresAt: Timestamp) {
            self.digest = digest
            self.createdAt = createdAt
            self.expiresAt = expiresAt
        }
    }

    /// The key that has signed.
    package let key: VerifyingKey
    package let plan: Plan
    package let signedAt: Timestamp
    /// SHA-256 of the envelope, in hexadecimal.
    package let digest: String

    /// Signs a plan.
    static func envelope(
        of plan: Plan, by key: SigningKey, at moment: Timestamp
    ) throws(OpenSSLError) -> Envelope {
        let predicate = CanonicalValue.object([
            ("createdAt", .number(plan.createdAt.milliseconds)),
            ("expiresAt", .number(plan.expiresAt.milliseconds)),
            ("signedAt", .number(moment.milliseconds)),
        ])
        let frame = StatementFrame(predicateType, subjects(plan.digest), predicate)
        return try Envelope(signing: frame.bytes, by: [key])
    }

    private static func subjects(_ digest: String) -> [StatementFrame.Subject] {
        [StatementFrame.Subject(name: "plan", digest: digest)]
    }

    /// Reads what a key that the caller trusts has signed.
    ///
    /// - Throws: `signature`, `payloadType`, `statementType`, `predicateType`, `malformed`, `fields`.
    init(_ envelope: Envelope, by trusted: VerifyingKey) throws(EvidenceError) {
        let frame = try StatementFrame(try envelope.verified(by: [trusted]))
        var members = try frame.members(of: Self.predicateType)
        guard frame.subjects.count == 1, let subject = frame.subjects.first else {
            throw EvidenceError(.fields, "an approval is about one plan")
        }
        key = trusted
        plan = Plan(
            digest: subject.digest, createdAt: try members.time("createdAt"),
            expiresAt: try members.time("expiresAt"))
        signedAt = try members.time("signedAt")
        digest = Hexadecimal.encode(SHA256.hash(envelope.bytes))
        try members.finish()
        try frame.check(Self.subjects(subject.digest))
    }

    /// Whether it was signed while there was something to sign, as far as two clocks agree.
    ///
    /// - Parameter skew: How much they may differ.
    func isInTime(_ now: Timestamp, skew: Duration) -> Bool {
        plan.createdAt.advanced(by: .zero - skew) <= signedAt && signedAt < plan.expiresAt
            && signedAt <= now.advanced(by: skew)
    }
}
