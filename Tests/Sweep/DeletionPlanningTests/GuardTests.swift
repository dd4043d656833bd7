import Basics
import CloudModel
import Configuration
import DeletionPlanning
import Testing

struct GuardTests {
    private static let server = ServerFacts(url: "https://localhost", isRehearsal: true)
    private static let created = Timestamp(milliseconds: 1_000_000)

    private func facts(
        zones: Int = 4, records: Int = 7, conditions: PlanConditions = PlanConditions()
    ) throws -> PlanFacts {
        var totals = PlanTotals()
        totals.zones = zones
        totals.records = records
        return PlanFacts(
            toolVersion: "t", environment: .development, server: Self.server,
            subjects: [.init(container: try container(), userPseudonym: "u")],
            scopes: [.private], created: Self.created,
            expires: Self.created.advanced(by: .seconds(3600)), nonce: "n",
            conditions: conditions, totals: totals, digest: "d")
    }

    private func circumstances() throws -> Circumstances {
        Circumstances(
            now: Self.created.advanced(by: .seconds(60)), environment: .development,
            server: Self.server,
            subjects: [.init(container: try container(), userPseudonym: "u")],
            scopes: [.private])
    }

    /// The refusal's code, or nil for a yes.
    private func ask(
        _ facts: PlanFacts, _ approval: Approval?, _ circumstances: Circumstances
    ) -> Refusal.Code? {
        do throws(Refusal) {
            let clearance = try Guard.authorize(facts, approval: approval, under: circumstances)
            #expect(clearance.planDigest == facts.digest)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `S4 a yes to this plan gives clearance for this plan`() throws {
        let facts = try facts()
        let now = try circumstances()
        #expect(ask(facts, .digest("d"), now) == nil)
        #expect(ask(facts, .typed("delete 4 zones in iCloud.com.example.one"), now) == nil)
        #expect(ask(facts, .resumed(digest: "d"), now) == nil)
    }

    @Test(arguments: [
        nil, Approval.digest(""), .digest("D"), .typed(""), .typed("yes"),
        .typed("delete 4 zones in iCloud.com.example.two"),
        .typed("delete 5 zones in iCloud.com.example.one"), .resumed(digest: "e"),
    ])
    func `S4 anything else gives none`(approval: Approval?) throws {
        #expect(ask(try facts(), approval, try circumstances()) == .notApproved)
    }

    struct Change: Sendable {
        let code: Refusal.Code
        let make: @Sendable (inout Circumstances) throws -> Void
    }

    /// Two of three have to sign.
    private static let two = ApprovalRule(
        count: 2,
        approvers: [
            .init(name: "Ada", key: "aa"), .init(name: "Bob", key: "bb"),
            .init(name: "Cy", key: "cc"),
        ])

    @Test func `S5 two of three signatures and the operator's yes give clearance`() throws {
        var now = try circumstances()
        now.policy.approvals = Self.two
        now.signers = ["aa", "cc", "ff"]
        #expect(ask(try facts(), .digest("d"), now) == nil)
        #expect(ask(try facts(), .resumed(digest: "d"), now) == nil)
        #expect(ask(try facts(), nil, now) == .notApproved)
        #expect(ask(try facts(), .digest("e"), now) == .notApproved)
    }

    static let changes = [
        Change(code: .planUsed) { $0.planUsed = true },
        Change(code: .planExpired) { $0.now = created.advanced(by: .seconds(3600)) },
        Change(code: .planNotYetValid) { $0.now = created.advanced(by: .seconds(-301)) },
        Change(code: .otherEnvironment) { $0.environment = .production },
        Change(code: .otherContainers) {
            $0.subjects = [.init(container: try container("two"), userPseudonym: "u")]
        },
        Change(code: .otherContainers) { $0.subjects = [] },
        Change(code: .otherDatabases) { $0.scopes = [.private, .public] },
        Change(code: .otherUser) {
            $0.subjects = [.init(container: try container(), userPseudonym: "v")]
        },
        Change(code: .moreThanPlanned) { $0.unplannedItems = 1 },
        Change(code: .discoveryIncomplete) { $0.unlisted = 1 },
        Change(code: .moreThanPlanned) { $0.unplannedUnproven = 1 },
        Change(code: .otherServer) {
            $0.server = ServerFacts(url: "https://other", isRehearsal: true)
        },
        Change(code: .otherServer) {
            $0.server = ServerFacts(url: "https://localhost", isRehearsal: false)
        },
        Change(code: .keptByCascade) { $0.cascade.kept = 1 },
        Change(code: .keptByCascade) {
            $0.cascade.kept = 1
            $0.policy.othersByCascade = .allow
        },
        Change(code: .othersByCascade) { $0.cascade.othersRefused = 1 },
        Change(code: .zonesCapExceeded) { $0.policy.caps.zones = 3 },
        Change(code: .recordsCapExceeded) { $0.policy.caps.records = 6 },
        Change(code: .zonesCapExceeded) {
            $0.policy.caps.zones = 4
            $0.freshTotals.zones = 5
        },
        Change(code: .recordsCapExceeded) {
            $0.policy.caps.records = 7
            $0.freshTotals.records = 8
        },
        Change(code: .recordsCapExceeded) {
            $0.policy.caps.records = 7
            $0.census.going = 8
        },
        Change(code: .percentCapExceeded) {
            $0.policy.caps.percent = 50
            $0.census.going = 51
            $0.census.staying = 49
        },
        Change(code: .tooFewApprovals) { $0.policy.approvals = two },
        Change(code: .tooFewApprovals) {
            $0.policy.approvals = two
            $0.signers = ["aa"]
        },
        Change(code: .tooFewApprovals) {
            $0.policy.approvals = two
            $0.signers = ["aa", "ff"]
        },
        Change(code: .recordsUncounted) {
            $0.policy.caps.records = 7
            $0.census.uncountedGoing = 1
        },
        Change(code: .recordsUncounted) {
            $0.policy.caps.percent = 50
            $0.census.uncountedGoing = 1
        },
        Change(code: .recordsUncounted) {
            $0.policy.caps.percent = 50
            $0.census.uncountedStaying = 1
        },
    ]

    @Test(arguments: changes)
    func `S5 a plan is bound to what was true when it was made`(change: Change) throws {
        var now = try circumstances()
        try change.make(&now)
        #expect(ask(try facts(), .digest("d"), now) == change.code)
    }

    @Test func `S5 caps allow what is at them`() throws {
        var now = try circumstances()
        now.policy.caps = Caps(zones: 4, records: 7, percent: 50)
        now.census.going = 7
        now.census.staying = 7
        #expect(ask(try facts(), .digest("d"), now) == nil)
    }

    @Test func `zones that nobody counted are nothing to who caps nothing but zones`() throws {
        var now = try circumstances()
        now.policy.caps = Caps(zones: 4)
        now.census.uncountedGoing = 3
        now.census.uncountedStaying = 3
        #expect(ask(try facts(), .digest("d"), now) == nil)
    }

    @Test func `what stays need not be counted for a number of records`() throws {
        var now = try circumstances()
        now.policy.caps = Caps(records: 7)
        now.census.uncountedStaying = 3
        #expect(ask(try facts(), .digest("d"), now) == nil)
    }

    @Test func `a cap that is exceeded is named with its number and its line`() throws {
        var now = try circumstances()
        now.policy.caps = Caps(percent: 60)
        now.policy.caps.places[.percent] = "app.json:23:12"
        now.census.going = 61
        now.census.staying = 39
        let refusal = #expect(throws: Refusal.self) {
            _ = try Guard.authorize(try facts(), approval: .digest("d"), under: now)
        }
        #expect(
            refusal?.reason == "the plan deletes 61 of 100 records in scope; the cap is 60 "
                + "(\"caps.percent\" at app.json:23:12) percent")
    }

    @Test func `a plan is not carried out before the time that it names`() throws {
        let time = Self.created.advanced(by: .seconds(90))
        let facts = try facts(conditions: PlanConditions(notBefore: time))
        var now = try circumstances()
        #expect(ask(facts, .digest("d"), now) == .tooEarly)
        now.now = time
        #expect(ask(facts, .digest("d"), now) == nil)
    }

    @Test func `other people's records may go along when the list says so`() throws {
        var now = try circumstances()
        now.cascade.others = 3
        #expect(ask(try facts(), .digest("d"), now) == nil)
    }

    @Test func `what cannot be proven is part of what is typed`() throws {
        var totals = PlanTotals()
        totals.unproven = 2
        let facts = PlanFacts(
            toolVersion: "t", environment: .development, server: Self.server,
            subjects: [.init(container: try container(), userPseudonym: "u")],
            scopes: [.private], created: Self.created,
            expires: Self.created.advanced(by: .seconds(3600)), nonce: "n", totals: totals,
            digest: "d")
        #expect(facts.phrase == "delete 0 zones in iCloud.com.example.one, 2 unproven")
        #expect(
            ask(facts, .typed("delete 0 zones in iCloud.com.example.one"), try circumstances())
                == .notApproved)
    }

    @Test func `partial discovery passes when it was allowed`() throws {
        var now = try circumstances()
        now.unlisted = 3
        now.partialAllowed = true
        #expect(ask(try facts(), .digest("d"), now) == nil)
    }

    @Test func `a run that began in time may be finished later`() throws {
        var now = try circumstances()
        now.now = Self.created.advanced(by: .seconds(1_000_000))
        #expect(ask(try facts(), .resumed(digest: "d"), now) == nil)
    }

    @Test func `the order of containers means nothing`() throws {
        let subjects = try ["one", "two"].map {
            PlanFacts.Subject(container: try container($0), userPseudonym: $0)
        }
        let facts = PlanFacts(
            toolVersion: "t", environment: .development, server: Self.server,
            subjects: subjects, scopes: [.private],
            created: Self.created, expires: Self.created.advanced(by: .seconds(3600)),
            nonce: "n", totals: PlanTotals(), digest: "d")
        var now = try circumstances()
        now.subjects = subjects.reversed()
        #expect(ask(facts, .digest("d"), now) == nil)
        #expect(facts.phrase == "delete 0 zones in 2 containers")
    }
}
