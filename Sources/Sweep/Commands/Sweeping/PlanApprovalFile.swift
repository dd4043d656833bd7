import CommandLine
import Evidence
import FileSystem
import SweepEngine

/// The file beside a plan that holds its signatures.
struct PlanApprovalFile: Sendable {
    let path: String
    private let files: Files

    init(plan: String, files: Files) {
        path = PlanSignatureFile.path(of: plan)
        self.files = files
    }

    /// What it holds; nothing where it is not there.
    func read() throws(CommandFailure) -> PlanApprovals {
        guard files.facts(path) != nil else { return PlanApprovals() }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(path, bytesMax: PlanApprovals.bytesMax)
        } catch {
            throw CommandFailure(error)
        }
        do throws(EvidenceError) {
            return try PlanApprovals(bytes)
        } catch {
            throw CommandFailure(.refused, "\(path) is damaged: \(error.reason)")
        }
    }

    /// Writes all of them, whole or not at all.
    func write(_ approvals: PlanApprovals) throws(EvidenceError) {
        do throws(FileError) {
            try files.write(approvals.bytes, to: path, mode: 0o600, replacing: true)
        } catch {
            throw EvidenceError(.unreadable, "\(path) cannot be written: \(error.description)")
        }
    }
}
