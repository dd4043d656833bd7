import Basics
import Evidence
import OpenSSL

/// Approvals of a plan: any bytes are an error or signatures of which none counts, because nobody has
/// signed with this key; what is read is written as the same again.
func fuzzApprovals(_ input: [UInt8]) {
    guard let approvals = try? PlanApprovals(input) else { return }
    precondition(approvals.count <= PlanApprovals.approvalsMax, "more approvals than there may be")
    let plan = PlanApproval.Plan(
        digest: String(repeating: "ab", count: 32), createdAt: Timestamp(milliseconds: 0),
        expiresAt: Timestamp.last)
    let counting = approvals.of(
        plan, by: [nobody], at: Timestamp(milliseconds: 1), skew: .seconds(300))
    precondition(counting.isEmpty, "somebody has signed with a key that nobody has")
    let bytes = approvals.bytes
    precondition(
        (try? PlanApprovals(bytes))?.bytes == bytes, "what we write is read as something else")
}

/// The public half of a key whose private half was thrown away.
private let nobody: VerifyingKey = {
    do {
        return SigningKey(try Ed25519.PrivateKey.generate()).verifying
    } catch {
        preconditionFailure("no key: \(error)")
    }
}()
