package import Basics
import OpenSSL

/// The approvals of a plan, as they lie beside its file: an envelope a line.
package struct PlanApprovals: Sendable {
    /// Approvals of one plan; no list asks for more.
    package static let approvalsMax = 16
    /// Bytes of a file: an approval has less than a thousand.
    package static let bytesMax = 64 << 10

    private let envelopes: [Envelope]

    /// Nobody has signed yet.
    package init() { envelopes = [] }

    private init(_ envelopes: [Envelope]) { self.envelopes = envelopes }

    /// Reads a file. What stands in it is nobody's word before ``of(_:by:at:skew:)``.
    ///
    /// - Throws: `tooLarge`, or why a line is no envelope.
    package init(_ bytes: [UInt8]) throws(EvidenceError) {
        guard bytes.count <= Self.bytesMax else {
            throw EvidenceError(.tooLarge, "more than \(Self.bytesMax) bytes of approvals")
        }
        var envelopes: [Envelope] = []
        for line in bytes.split(separator: 0x0A) {
            guard envelopes.count < Self.approvalsMax else {
                throw EvidenceError(.tooLarge, "more than \(Self.approvalsMax) approvals")
            }
            envelopes.append(try Envelope(Array(line)))
        }
        self.envelopes = envelopes
    }

    /// The file's bytes.
    package var bytes: [UInt8] { envelopes.flatMap { $0.bytes + [0x0A] } }

    package var count: Int { envelopes.count }

    /// The same with one more signature.
    ///
    /// - Throws: `threshold` when the key has signed the plan already; `tooLarge`.
    package func adding(
        _ key: SigningKey, to plan: PlanApproval.Plan, at moment: Timestamp
    ) throws(EvidenceError) -> PlanApprovals {
        guard !envelopes.contains(where: { Self.approval($0, of: plan, by: key.verifying) != nil })
        else { throw EvidenceError(.threshold, "this key has signed the plan already") }
        guard envelopes.count < Self.approvalsMax else {
            throw EvidenceError(.tooLarge, "the plan has \(Self.approvalsMax) signatures already")
        }
        do throws(OpenSSLError) {
            return PlanApprovals(
                envelopes + [try PlanApproval.envelope(of: plan, by: key, at: moment)])
        } catch {
            throw EvidenceError(.signature, error.reason)
        }
    }

    /// The approvals that count: by keys that the caller trusts, each once, over exactly this plan, and
    /// signed in its time. Every other line counts for nothing.
    package func of(
        _ plan: PlanApproval.Plan, by trusted: [VerifyingKey], at now: Timestamp, skew: Duration
    ) -> [PlanApproval] {
        var found: [PlanApproval] = []
        for key in trusted where !found.contains(where: { $0.key.id == key.id }) {
            let approvals = envelopes.lazy.compactMap { Self.approval($0, of: plan, by: key) }
            if let approval = approvals.first(where: { $0.isInTime(now, skew: skew) }) {
                found.append(approval)
            }
        }
        return found
    }

    /// The approval in an envelope; nil: the key has not signed it, or something else than this plan.
    private static func approval(
        _ envelope: Envelope, of plan: PlanApproval.Plan, by key: VerifyingKey
    ) -> PlanApproval? {
        do throws(EvidenceError) {
            let approval = try PlanApproval(envelope, by: key)
            return approval.plan == plan ? approval : nil
        } catch {
            return nil  // no approval, whatever it is: it counts for nothing
        }
    }
}
