import Basics
import Configuration
package import DeletionPlanning
package import Evidence
import FileSystem
import Journal
package import OpenSSL

/// Who has signed the plan of a run: the file beside the plan, which the journal keeps from there on.
struct PlanSignatures: Sendable {
    /// The note that keeps the file's bytes.
    static let note = "approvals"

    private let approvals: PlanApprovals
    /// The file's bytes.
    let bytes: [UInt8]

    /// Nobody has signed.
    static let none = PlanSignatures(PlanApprovals(), [])

    private init(_ approvals: PlanApprovals, _ bytes: [UInt8]) {
        self.approvals = approvals
        self.bytes = bytes
    }

    /// Reads what lies beside a plan file; none where nothing does.
    ///
    /// - Throws: `refusedByGuard` when it cannot be read: nobody can say then who has signed.
    static func beside(_ plan: String) throws(SweepFailure) -> PlanSignatures {
        let files = Files(workingFolder: Files.currentFolder)
        let path = PlanSignatureFile.path(of: plan)
        guard files.facts(path) != nil else { return none }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(path, bytesMax: PlanApprovals.bytesMax)
        } catch {
            throw .refusedByGuard(Refusal(.tooFewApprovals, error.description))
        }
        return try PlanSignatures(reading: bytes)
    }

    /// Takes up what a run has kept.
    init(kept bytes: [UInt8]?) throws(SweepFailure) {
        guard let bytes else {
            self = .none
            return
        }
        try self.init(reading: bytes)
    }

    private init(reading bytes: [UInt8]) throws(SweepFailure) {
        do throws(EvidenceError) {
            self.init(try PlanApprovals(bytes), bytes)
        } catch {
            throw .refusedByGuard(
                Refusal(.tooFewApprovals, "the approvals of the plan are damaged: \(error.reason)"))
        }
    }

    /// What writes them down.
    var changes: [JournalChange] {
        bytes.isEmpty ? [] : [.noteOnce(key: Self.note, value: bytes)]
    }

    /// The approvals that count under a rule.
    func counting(
        for plan: PlanFacts, under rule: ApprovalRule, at now: Timestamp
    ) throws(SweepFailure) -> [PlanApproval] {
        do throws(OpenSSLError) {
            return approvals.of(
                PlanApproval.Plan(plan), by: try rule.keys(), at: now, skew: Guard.clockSkewMax)
        } catch {
            throw .unusable("an approver's key is invalid: \(error.reason)")
        }
    }
}

/// Where the signatures of a plan file lie.
package enum PlanSignatureFile {
    package static func path(of plan: String) -> String { plan + ".approvals" }
}

extension PlanApproval.Plan {
    /// The plan as approvals name it.
    package init(_ plan: PlanFacts) {
        self.init(digest: plan.digest, createdAt: plan.created, expiresAt: plan.expires)
    }
}

extension ApprovalRule {
    /// The approvers' keys, in the list's order.
    ///
    /// - Throws: when one of them is no key.
    package func keys() throws(OpenSSLError) -> [VerifyingKey] {
        var keys: [VerifyingKey] = []
        for approver in approvers {
            guard let bytes = Hexadecimal.decode(approver.key) else {
                throw OpenSSLError(
                    .keyUnreadable, "the key of \(approver.name) is not hexadecimal")
            }
            keys.append(VerifyingKey(try Ed25519.PublicKey(bytes: bytes)))
        }
        return keys
    }
}
