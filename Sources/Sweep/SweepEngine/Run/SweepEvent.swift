package import CloudModel
package import DeletionPlanning

/// What happens during a sweep, as it happens.
package enum SweepEvent: Sendable {
    case phaseBegan(SweepPhase)
    case phaseEnded(SweepPhase, took: Duration)
    /// Something was listed: how many of it there are so far.
    case discovered(Container.ID, Database.Scope, CoverageRow.Kind, found: Int)
    /// Something in scope could not be listed.
    case unlisted(CoverageRow)
    case planned(PlanFacts)
    /// From here on things are deleted, and the run can be resumed.
    case approved(run: String)
    /// A deleting request is about to be sent.
    case stepBegan(StepNotice)
    /// Its outcome is on disk.
    case stepEnded(StepNotice, StepCounts)
    /// A request failed and will be repeated.
    ///
    /// - Parameter of: Attempts that it gets, throttles not counted.
    case waiting(
        Container.ID, Database.Scope, CloudError.Code, wait: Duration, attempt: Int, of: Int)
    case passEnded(VerificationPass)
    /// Verification found data.
    case leftover(CoverageRow)
    case progress(SweepProgress)
}

/// The stages of a sweep, in order.
package enum SweepPhase: String, Sendable, CaseIterable {
    case inventory
    case plan
    case delete
    case verify
    case export
}

/// One deleting request, in a few words.
package struct StepNotice: Sendable, Hashable {
    package let container: Container.ID
    package let scope: Database.Scope
    package let kind: CoverageRow.Kind
    package let items: Int
}

/// What became of the items of a step.
package struct StepCounts: Sendable, Hashable {
    package var deleted = 0
    package var alreadyGone = 0
    package var failed = 0
    package init() {}
    package var settled: Int { deleted + alreadyGone + failed }

    package static func += (left: inout StepCounts, right: StepCounts) {
        left.deleted += right.deleted
        left.alreadyGone += right.alreadyGone
        left.failed += right.failed
    }
}

/// Where a sweep stands: for a live line.
package struct SweepProgress: Sendable, Hashable {
    package var phase: SweepPhase = .inventory
    /// Items of the plan that are settled, of `itemsTotal`; while exporting, records written down.
    package var itemsDone = 0
    package var itemsTotal = 0
    package var requests = 0
    /// Requests that are sent and not answered yet.
    package var inFlight = 0
    package var retries = 0
    package var failed = 0
    /// Things seen by the inventory so far.
    package var seen = 0
    package init() {}
}
