import CloudModel
import DeletionPlanning
import Testing

struct GuardTests {
    private static let created = Timestamp(milliseconds: 1_000_000)

    private func facts(zones: Int = 4, records: Int = 7) throws -> PlanFacts {
        var totals = PlanTotals()
        totals.zones = zones
        totals.records = records
        return PlanFacts(
            toolVersion: "t", environment: .development,
            subjects: [.init(container: try container(), userPseudonym: "u")],
            scopes: [.private], created: Self.created,
            expires: Self.created.advanced(by: .seconds(3600)), nonce: "n", totals: totals,
            digest: "d")
    }

    private func circumstances() throws -> Circumstances {
        Circumstances(
            now: Self.created.advanced(by: .seconds(60)), environment: .development,
            subjects: [.init(container: try container(), userPseudonym: "u")],
            scopes: [.private], caps: Policy.Caps(), planUsed: false, unplannedItems: 0,
            unlisted: 0, partialAllowed: false)
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
        Change(code: .zonesCapExceeded) { $0.caps.zones = 3 },
        Change(code: .recordsCapExceeded) { $0.caps.records = 6 },
    ]

    @Test(arguments: changes)
    func `S5 a plan is bound to what was true when it was made`(change: Change) throws {
        var now = try circumstances()
        try change.make(&now)
        #expect(ask(try facts(), .digest("d"), now) == change.code)
    }

    @Test func `S5 caps allow what is at them`() throws {
        var now = try circumstances()
        now.caps = Policy.Caps(zones: 4, records: 7)
        #expect(ask(try facts(), .digest("d"), now) == nil)
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
            toolVersion: "t", environment: .development, subjects: subjects, scopes: [.private],
            created: Self.created, expires: Self.created.advanced(by: .seconds(3600)),
            nonce: "n", totals: PlanTotals(), digest: "d")
        var now = try circumstances()
        now.subjects = subjects.reversed()
        #expect(ask(facts, .digest("d"), now) == nil)
        #expect(facts.phrase == "delete 0 zones in 2 containers")
    }
}
