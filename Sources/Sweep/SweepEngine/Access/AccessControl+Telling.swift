import CloudCourier
import DeletionPlanning
import Evidence
import Journal

extension AccessControl {
    /// Adds to the evidence of a run what was changed. Where that cannot be written, the change stands
    /// all the same and is told.
    func note(_ report: inout AccessReport, of run: RunRow) {
        do throws(EvidenceError) {
            report.addendum = try addendum(report, of: run)
        } catch {
            report.miss("cannot write the addendum: \(error)")
        }
    }

    private func addendum(
        _ report: AccessReport, of run: RunRow
    ) throws(EvidenceError) -> String {
        let facts = AccessFacts(
            report.change, at: world.wallClock.now,
            service: ServiceFacts(world.server, keyDigest: world.serverKey()),
            environment: request.environment.rawValue,
            results: report.rows.map {
                AccessFacts.Result(
                    container: $0.container.rawValue, code: $0.refusal?.code.rawValue)
            })
        return try AddendumWriter(
            folder: "\(world.stateFolder)/evidence", run: run.id,
            key: try KeyFolder(stateFolder: world.stateFolder).key(),
            toolVersion: world.toolVersion
        ).add(.access(facts), at: facts.changedAt)
    }

    /// What ended the change before it was through, in the report's words.
    func failed(
        _ change: AccessFacts.Change, _ failure: SweepFailure, _ courier: Courier
    ) -> AccessReport {
        if let error = courier.signInNeeded {
            return AccessReport(change, .notSignedIn, error.inWords)
        }
        if case .stopped = failure, let error = courier.halted {
            return AccessReport(change, .partlyFailed, error.inWords)
        }
        if case .stopped = failure {
            switch world.stop.reason {
            case .interrupt: return AccessReport(change, .interrupted, "interrupted")
            case .terminate: return AccessReport(change, .terminated, "terminated")
            case .outOfTime: return AccessReport(change, .outOfTime, "the maximum duration is over")
            case .otherPerson, nil: break
            }
        }
        if case .refused(let error) = failure {
            return AccessReport(change, .partlyFailed, error.inWords)
        }
        let ending = Conclusion.of(failure, in: nil)
        return AccessReport(change, ending.status, ending.explanation)
    }
}
