import CloudModel

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

    /// Checks everything a plan is bound to, the approval last.
    ///
    /// - Throws: the first ``Refusal`` that applies; nothing may be deleted then.
    package static func authorize(
        _ plan: PlanFacts, approval: Approval?, under circumstances: Circumstances
    ) throws(Refusal) -> Clearance {
        try checkTarget(plan, circumstances)
        try checkTime(plan, approval, circumstances)
        if circumstances.unlisted > 0 && !circumstances.partialAllowed {
            throw Refusal(
                .discoveryIncomplete,
                "\(circumstances.unlisted) things in scope could not be listed")
        }
        if circumstances.unplannedItems > 0 {
            throw Refusal(
                .moreThanPlanned,
                "\(circumstances.unplannedItems) things are there now that the plan does not name; "
                    + "make a new one")
        }
        if let cap = circumstances.caps.zones, plan.totals.zones > cap {
            throw Refusal(
                .zonesCapExceeded, "the plan deletes \(plan.totals.zones) zones, the cap is \(cap)")
        }
        if let cap = circumstances.caps.records, plan.totals.records > cap {
            throw Refusal(
                .recordsCapExceeded,
                "the plan deletes \(plan.totals.records) records, the cap is \(cap)")
        }
        try checkApproval(plan, approval)
        return Clearance(planDigest: plan.digest)
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
                "another user is signed in to \(now.container) than the plan is for, or the plan "
                    + "was made with another state folder")
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
        guard plan.created <= circumstances.now.advanced(by: clockSkewMax) else {
            throw Refusal(.planNotYetValid, "the plan was made at \(plan.created.iso8601)")
        }
    }

    private static func checkApproval(
        _ plan: PlanFacts, _ approval: Approval?
    ) throws(Refusal) {
        switch approval {
        case .digest(let digest) where digest == plan.digest: return
        case .resumed(let digest) where digest == plan.digest: return
        case .typed(let text) where text == plan.phrase: return
        case .digest: throw Refusal(.notApproved, "the approved digest is not this plan's")
        case .resumed: throw Refusal(.notApproved, "the interrupted run carried out another plan")
        case .typed: throw Refusal(.notApproved, "what was typed is not \"\(plan.phrase)\"")
        case nil: throw Refusal(.notApproved)
        }
    }
}
