package import Configuration

/// A single-use permission to carry out one plan. Only ``Guard`` makes one.
package struct Clearance: ~Copyable, Sendable {
    /// The plan it is good for.
    package let planDigest: String

    fileprivate init(planDigest: String) { self.planDigest = planDigest }
}

/// Decides whether a plan may be carried out.
package enum Guard {
    /// Clocks of two machines may differ by this much.
    package static let clockSkewMax: Duration = .seconds(300)

    /// Checks everything a plan is bound to, the approval last: those who have to sign it, and then
    /// the operator's own yes.
    ///
    /// - Throws: the first ``Refusal`` that applies; nothing may be deleted then.
    package static func authorize(
        _ plan: PlanFacts, approval: Approval?, under circumstances: Circumstances
    ) throws(Refusal) -> Clearance {
        try checkTarget(plan, circumstances)
        try checkTime(plan, approval, circumstances)
        try checkExport(plan, approval, circumstances)
        if circumstances.unlisted > 0 && !circumstances.partialAllowed {
            throw Refusal(
                .discoveryIncomplete,
                "\(Counted.text(circumstances.unlisted, "item")) in scope could not be listed")
        }
        try checkCover(circumstances)
        try checkCascade(circumstances.cascade)
        try circumstances.policy.caps.check(plan.totals)
        try checkCaps(circumstances.freshTotals, circumstances.census, circumstances.policy.caps)
        try circumstances.policy.approvals.check(circumstances.signers)
        try checkApproval(plan, approval)
        return Clearance(planDigest: plan.digest)
    }

    /// Refuses what deletes more than the caps allow.
    package static func checkCaps(
        _ totals: PlanTotals, _ census: RecordCensus, _ caps: Caps
    ) throws(Refusal) {
        try caps.check(totals)
        try caps.check(census)
    }

    /// Refuses a plan whose deletions take along what is kept, or other people's records that the
    /// list does not give up.
    package static func checkCascade(
        _ cascade: CascadeFinding
    ) throws(Refusal) {
        let chains = cascade.chains.isEmpty ? "" : ": " + cascade.chains.joined(separator: "; ")
        if cascade.kept > 0 {
            throw Refusal(
                .keptByCascade,
                "\(cascade.kept) kept \(cascade.kept == 1 ? "record" : "records") would be "
                    + "deleted along with the records that they refer to\(chains). Protect those "
                    + "records as well, or remove the rule")
        }
        let refused = cascade.othersRefused
        if refused > 0 {
            let noun = refused == 1 ? "record of another user" : "records of other users"
            throw Refusal(
                .othersByCascade,
                "\(refused) \(noun) would be deleted along with the records that they refer "
                    + "to\(chains). Protect those records, or set \"othersByCascade\": \"allow\" in "
                    + "the list")
        }
    }

    /// What is there now must be covered by what was approved.
    private static func checkCover(_ circumstances: Circumstances) throws(Refusal) {
        if circumstances.unplannedItems > 0 {
            throw Refusal(
                .moreThanPlanned,
                "\(Counted.text(circumstances.unplannedItems, "item")) would be deleted that the plan "
                    + "does not name; make a new plan")
        }
        if circumstances.unplannedUnproven > 0 {
            throw Refusal(
                .moreThanPlanned,
                "\(Counted.text(circumstances.unplannedUnproven, "location")) cannot be verified that "
                    + "the plan does not name; make a new plan")
        }
    }

    private static func checkTarget(
        _ plan: PlanFacts, _ circumstances: Circumstances
    ) throws(Refusal) {
        guard plan.environment == circumstances.environment else {
            throw Refusal(
                .otherEnvironment,
                "the plan is for \(plan.environment.rawValue), "
                    + "this is \(circumstances.environment.rawValue)")
        }
        guard plan.server == circumstances.server else {
            throw Refusal(
                .otherServer,
                "the plan is for \(plan.server), this is \(circumstances.server)")
        }
        let planned = plan.subjects.sorted { $0.container < $1.container }
        let present = circumstances.subjects.sorted { $0.container < $1.container }
        guard planned.map(\.container) == present.map(\.container) else {
            throw Refusal(.otherContainers)
        }
        guard Set(plan.scopes) == Set(circumstances.scopes) else { throw Refusal(.otherDatabases) }
        for (planned, now) in zip(planned, present)
        where planned.userPseudonym != now.userPseudonym {
            throw Refusal(
                .otherUser,
                "another user is signed in to \(now.container) than the plan is for, or the "
                    + "plan was made with another state folder")
        }
    }

    private static func checkTime(
        _ plan: PlanFacts, _ approval: Approval?, _ circumstances: Circumstances
    ) throws(Refusal) {
        if circumstances.planUsed { throw Refusal(.planUsed) }
        // A run that began in time may be finished later.
        if case .resumed = approval { return }
        guard circumstances.now < plan.expires else {
            throw Refusal(.planExpired, "the plan expired at \(plan.expires.iso8601)")
        }
        if let time = plan.conditions.notBefore, circumstances.now < time {
            throw Refusal(
                .tooEarly, "the plan may not be executed before \(time.iso8601)")
        }
        guard plan.created <= circumstances.now.advanced(by: clockSkewMax) else {
            throw Refusal(.planNotYetValid, "the plan was made at \(plan.created.iso8601)")
        }
    }

    /// What was to be exported first is: just what the person saw who approved the plan.
    private static func checkExport(
        _ plan: PlanFacts, _ approval: Approval?, _ circumstances: Circumstances
    ) throws(Refusal) {
        // Deletion has begun, and had that export then.
        if case .resumed = approval { return }
        switch (plan.export, circumstances.export) {
        case (nil, nil): return
        case (let planned?, let there?) where planned == there: return
        case (nil, _?):
            throw Refusal(
                .otherExport, "the plan was made without an export: make it with --export-first")
        case (_?, nil):
            throw Refusal(
                .otherExport,
                "the plan was made with an export; name its folder with --export-first")
        case (_?, _?):
            throw Refusal(.otherExport, "the plan was made with another export than this one")
        }
    }

    private static func checkApproval(
        _ plan: PlanFacts, _ approval: Approval?
    ) throws(Refusal) {
        switch approval {
        case .digest(let digest) where digest == plan.digest: return
        case .resumed(let digest) where digest == plan.digest: return
        case .typed(let text) where text == plan.phrase: return
        case .digest:
            throw Refusal(
                .notApproved,
                "the approved digest is not the digest of this plan")
        case .resumed:
            throw Refusal(.notApproved, "the interrupted run was approved for another plan")
        case .typed: throw Refusal(.notApproved, "the typed text is not \"\(plan.phrase)\"")
        case nil: throw Refusal(.notApproved)
        }
    }
}
