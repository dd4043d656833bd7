import Donations
import Testing

struct AuditTests {
    static func subject(
        _ kind: DonationKind = .interaction, _ type: String = "A", rows: Int = 3,
        _ change: (inout AuditSubject) -> Void = { _ in }
    ) -> AuditSubject {
        var subject = AuditSubject(kind: kind, type: type)
        subject.rows = rows
        change(&subject)
        return subject
    }

    static func codes(_ change: (inout AuditFacts) -> Void) -> [AuditFinding.Code] {
        var facts = AuditFacts()
        facts.deletions = 1
        change(&facts)
        return DonationAudit.findings(facts).map { $0.code }
    }

    @Test func `an app that deletes what it donates has no findings`() {
        #expect(Self.codes { $0.subjects = [Self.subject { $0.withAction = 3 }] } == [])
        #expect(Self.codes { _ in } == [])
    }

    @Test func `M1 what is never deleted, and what could not be`() {
        #expect(
            Self.codes {
                $0.deletions = 0
                $0.subjects = [Self.subject()]
            } == [.neverDeleted])
        #expect(Self.codes { $0.subjects = [Self.subject { $0.withoutKey = 1 }] } == [.noKey])
    }

    @Test func `M2 deletions by keys that no donation has`() {
        #expect(Self.codes { $0.emptyDeletions = 2 } == [.keyMismatch])
    }

    @Test func `F5 F48 and M13 an act twice, none at all, and loops`() {
        #expect(
            Self.codes {
                $0.subjects = [
                    Self.subject {
                        $0.withAction = 3
                        $0.repeatedActions = 1
                    }, Self.subject(.activity, "b") { $0.inLoops = 2 },
                    Self.subject(.searchableItem, "c"),
                ]
            } == [.repeatedAction, .withoutAction, .loop])
        // Nobody reports acts: then their lack says nothing.
        #expect(Self.codes { $0.subjects = [Self.subject(.activity, "b")] } == [])
    }

    @Test func `M5 and M9 refusals are counted apart`() {
        #expect(
            Self.codes { $0.refusals = [.refusedItemMissing: 2, .refusedRestricted: 1] }
                == [.itemMissing, .outcomesIgnored])
    }

    @Test func `R15 what waits out of sight is told last`() {
        #expect(
            Self.codes {
                $0.refusals = [.refusedRestricted: 1]
                $0.parked = 2
            } == [.outcomesIgnored, .waitingForItem])
    }

    @Test func `the types with the most rows come first`() {
        var facts = AuditFacts()
        facts.subjects = [
            Self.subject(rows: 1), Self.subject(.activity, "b", rows: 5),
            Self.subject(.activity, "a", rows: 5),
        ]
        #expect(DonationAudit.findings(facts).map { $0.type } == ["a", "b", "A"])
    }
}
