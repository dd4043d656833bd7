import Basics
import CloudModel
import Configuration
import DeletionPlanning
import Testing

struct BadIdentifier: Error {}

func container(_ text: String = "one") throws -> Container.ID {
    guard let id = Container.ID("iCloud.com.example.\(text)") else { throw BadIdentifier() }
    return id
}

struct PlannerTests {
    private func plan(
        _ subjects: [Observation.Subject], policy: Policy = Policy(),
        scope: Database.Scope = .private
    ) throws -> (items: [PlanItem], planner: DeletionPlanner) {
        let id = try container()
        var planner = DeletionPlanner(
            policy: policy,
            bounds: PlanScope(
                environment: .development, containers: [id],
                scopes: Set(Database.Scope.allCases)))
        var items: [PlanItem] = []
        for subject in subjects {
            items += planner.observe(
                Observation(container: id, scope: scope, subject: subject))
        }
        return (items + planner.finish(), planner)
    }

    private func work(_ items: [PlanItem]) -> [DeletionStep.Work] {
        items.compactMap { if case .step(let step) = $0 { step.work } else { nil } }
    }

    private func kept(_ items: [PlanItem]) -> [KeptItem.Because] {
        items.compactMap { if case .kept(let kept) = $0 { kept.because } else { nil } }
    }

    private func zone(
        _ name: String, _ contents: Observation.Contents = .notLookedInto
    ) -> Observation.Subject { .zone(RecordZone.ID(name), contents) }

    private func record(_ name: String, _ type: String = "Note") -> Observation.Subject {
        .record(zone: .default, type: type, name: name)
    }

    private func census(
        _ seen: [(Observation.Subject, Int?)], policy: Policy = Policy(),
        scope: Database.Scope = .private
    ) throws -> RecordCensus {
        let id = try container()
        var planner = DeletionPlanner(
            policy: policy,
            bounds: PlanScope(
                environment: .development, containers: [id],
                scopes: Set(Database.Scope.allCases)))
        for (subject, records) in seen {
            _ = planner.observe(
                Observation(container: id, scope: scope, subject: subject, records: records))
        }
        return planner.census
    }

    @Test func `records inside of zones count like those that are named`() throws {
        let policy = Policy(protect: [
            ProtectRule(zone: "kept", reason: "law"),
            ProtectRule(recordType: "Bill", reason: "law"),
        ])
        let inHeld = { (name: String, type: String) in
            Observation.Subject.record(zone: RecordZone.ID("held"), type: type, name: name)
        }
        let census = try census(
            [
                (record("a"), nil), (record("b", "Bill"), nil), (zone("gone", .nothingKept), 20),
                (zone("gone too", .nothingKept), nil), (zone("kept"), 300),
                (zone("held", .holdsKept), 9),
                (inHeld("x", "Note"), nil), (inHeld("y", "Bill"), nil), (.userRecord, nil),
                (.subscription(id: "s", zone: nil, recordType: nil), nil), (.defaultZone, nil),
            ], policy: policy)
        #expect(census.going == 22)
        #expect(census.staying == 302)
        #expect(census.uncountedGoing == 1)
        #expect(census.uncountedStaying == 0)
    }

    @Test func `what lies in another person's zone stays there, and counts nowhere`() throws {
        let zone = Observation.Subject.zone(
            RecordZone.ID("a", ownerRecordName: "_b"), .notLookedInto)
        #expect(try census([(zone, nil)], scope: .shared) == RecordCensus())
    }

    @Test func `nothing seen, nothing planned`() throws {
        let (items, planner) = try plan([])
        #expect(items.isEmpty)
        #expect(planner.totals.nothingToDelete)
    }

    @Test func `S3 what lies in two containers or databases is never in one step`() throws {
        let ids = [try container("one"), try container("two")]
        var planner = DeletionPlanner(
            policy: Policy(),
            bounds: PlanScope(
                environment: .development, containers: Set(ids),
                scopes: Set(Database.Scope.allCases)))
        var items: [PlanItem] = []
        for id in ids {
            for scope in Database.Scope.allCases {
                let subscription = Observation.Subject.subscription(
                    id: "all", zone: nil, recordType: nil)
                items += planner.observe(
                    Observation(container: id, scope: scope, subject: subscription))
            }
        }
        items += planner.finish()
        let steps = items.compactMap { if case .step(let step) = $0 { step } else { nil } }
        #expect(steps.map(\.container) == [ids[0], ids[0], ids[0], ids[1], ids[1], ids[1]])
        #expect(steps.map(\.scope) == Database.Scope.allCases + Database.Scope.allCases)
        #expect(steps.allSatisfy { $0.names == ["all"] })
        // Nothing else tells these two apart.
        for (id, scope) in [(ids[0], Database.Scope.private), (ids[1], .private)] {
            items += planner.observe(
                Observation(container: id, scope: scope, subject: zone("a")))
        }
        items += planner.finish()
        let last = items.suffix(2).compactMap {
            if case .step(let step) = $0 { step.container } else { nil }
        }
        #expect(last == ids)
    }

    @Test(arguments: [1, 199, 200, 201, 450])
    func `zones go 200 a request`(count: Int) throws {
        let (items, planner) = try plan((0..<count).map { zone("\($0)") })
        let sizes = work(items).map { if case .zones(let zones) = $0 { zones.count } else { 0 } }
        #expect(sizes.reduce(0, +) == count)
        #expect(sizes.count == (count + 199) / 200)
        #expect(sizes.allSatisfy { $0 <= 200 })
        #expect(planner.totals.zones == count)
    }

    @Test func `the default zone is tried in a request of its own`() throws {
        let (items, planner) = try plan([zone("a"), .defaultZone, record("r")])
        #expect(
            work(items) == [
                .zones([RecordZone.ID("a")]), .defaultZone,
                .records(zone: .default, type: "Note", names: ["r"]),
            ])
        #expect(planner.totals.items == 3)
    }

    @Test func `a default zone alone is nothing to delete`() throws {
        let (items, planner) = try plan([.defaultZone])
        #expect(work(items) == [.defaultZone])
        #expect(planner.totals.nothingToDelete)
    }

    @Test func `records of two types are two steps`() throws {
        let (items, _) = try plan([record("a", "A"), record("b", "A"), record("c", "B")])
        #expect(work(items).count == 2)
    }

    /// What keeps a default zone from being deleted whole.
    static let sparing = [
        ProtectRule(zone: "_defaultZone", reason: ""), ProtectRule(recordType: "X", reason: ""),
        ProtectRule(zone: "_defaultZone", recordType: "X", reason: ""),
    ]

    @Test(arguments: sparing)
    func `the default zone stays whole when something in it could be kept`(
        rule: ProtectRule
    ) throws {
        let (items, planner) = try plan([.defaultZone], policy: Policy(protect: [rule]))
        #expect(work(items).isEmpty)
        #expect(kept(items) == [.rule(0)])
        // The zone itself is no thing that a row counts.
        #expect(planner.totals.kept == 0)
    }

    @Test func `a zone rule keeps its zone, its subscriptions, and no other`() throws {
        let policy = Policy(protect: [ProtectRule(zone: "Receipts", reason: "tax")])
        let (items, planner) = try plan(
            [
                .subscription(id: "r", zone: "Receipts", recordType: nil),
                .subscription(id: "o", zone: "Other", recordType: nil), zone("Receipts"),
                zone("Other"), .defaultZone,
            ], policy: policy)
        #expect(
            work(items) == [
                .subscriptions(["o"]), .zones([RecordZone.ID("Other")]), .defaultZone,
            ])
        #expect(kept(items) == [.rule(0), .rule(0)])
        #expect(planner.unmatchedRules.isEmpty)
    }

    @Test(arguments: [
        (Observation.Contents.notLookedInto, KeptItem.Because?.some(.notLookedInto)),
        (.nothingKept, nil), (.holdsKept, .holdsKept),
    ])
    func `with a rule for a record type a zone goes only when it was looked into`(
        contents: Observation.Contents, because: KeptItem.Because?
    ) throws {
        let policy = Policy(protect: [ProtectRule(recordType: "Receipt", reason: "tax")])
        let (items, _) = try plan([zone("a", contents)], policy: policy)
        #expect(kept(items) == (because.map { [$0] } ?? []))
        #expect(work(items).count == (because == nil ? 1 : 0))
    }

    @Test func `S3 what the person made in zones of others goes by word only`() throws {
        let zone = RecordZone.ID("Trips", ownerRecordName: "_ben")
        let subjects: [Observation.Subject] = [
            .zone(zone, .nothingKept), .record(zone: zone, type: "Note", name: "mine"),
        ]
        let (stays, planner) = try plan(subjects, scope: .shared)
        #expect(kept(stays) == [.staysWithOwner])
        #expect(work(stays) == [.zones([zone])])
        #expect(planner.totals.sharedZones == 1 && planner.totals.zones == 0)
        #expect(!planner.totals.nothingToDelete)
        let (goes, _) = try plan(
            subjects, policy: Policy(leaveShared: .deleteMine), scope: .shared)
        #expect(
            work(goes) == [
                .zones([zone]), .records(zone: zone, type: "Note", names: ["mine"]),
            ])
        // A rule about one of two zones of a name is about both.
        let rule = ProtectRule(zone: "Trips", reason: "test")
        let (both, _) = try plan(
            [.zone(zone, .nothingKept)], policy: Policy(protect: [rule]), scope: .shared)
        #expect(kept(both) == [.rule(0)])
    }

    @Test func `S3 a zone of others that was not looked into is not left where rules keep types`()
        throws
    {
        let zone = RecordZone.ID("Trips", ownerRecordName: "_ben")
        let rules = [ProtectRule(recordType: "Receipt", reason: "test")]
        let cases: [(Policy.LeaveShared, Observation.Contents, KeptItem.Because?)] = [
            (.deleteMine, .notLookedInto, .notLookedInto), (.deleteMine, .holdsKept, .holdsKept),
            (.deleteMine, .nothingKept, nil),
            // What stays with the owner anyway does not hold on to the zone.
            (.keepMine, .notLookedInto, nil),
        ]
        for (mode, contents, because) in cases {
            let (items, _) = try plan(
                [.zone(zone, contents)], policy: Policy(protect: rules, leaveShared: mode),
                scope: .shared)
            #expect(kept(items) == (because.map { [$0] } ?? []))
        }
    }

    @Test func `a rule for another container keeps nothing here`() throws {
        let rule = ProtectRule(container: try container("two"), zone: "a", reason: "")
        let (items, planner) = try plan([zone("a")], policy: Policy(protect: [rule]))
        #expect(work(items).count == 1)
        #expect(planner.unmatchedRules == [0])
    }

    @Test func `a rule for the container keeps everything in it`() throws {
        let rule = ProtectRule(container: try container(), reason: "")
        let (items, planner) = try plan(
            [
                .subscription(id: "s", zone: nil, recordType: nil), zone("a"), .defaultZone,
                record("r"), .userRecord,
            ], policy: Policy(protect: [rule]))
        #expect(work(items).isEmpty)
        #expect(planner.totals.kept == 4)
        #expect(planner.unmatchedRules.isEmpty)
    }

    @Test func `a misspelled rule is told of`() throws {
        let policy = Policy(protect: [
            ProtectRule(zone: "a", reason: ""), ProtectRule(zone: "A", reason: ""),
            ProtectRule(recordType: "Nite", reason: ""),
        ])
        let (_, planner) = try plan([zone("a"), record("r")], policy: policy)
        #expect(planner.unmatchedRules == [1, 2])
    }

    /// S3, by chance: whatever is seen and whatever the rules, no step names what a rule keeps.
    @Test(arguments: 0..<200)
    func `S3 no step ever names anything kept or out of scope`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func pick<Value>(_ values: [Value]) -> Value {
            values[Int(random.next() % UInt64(values.count))]
        }
        let ids = [try container("one"), try container("two")]
        let zones = ["_defaultZone", "a", "b", "c"]
        let types = ["A", "B", "C"]
        let rules = (0..<Int(random.next() % 4)).map { _ in
            ProtectRule(
                container: pick([nil, ids[0], ids[1]]), zone: pick([nil] + zones.map { $0 }),
                recordType: pick([nil] + types.map { $0 }), reason: "seed \(seed)")
        }
        let policy = Policy(protect: rules)
        let bounds = PlanScope(
            environment: .development, containers: Set(ids), scopes: [.private])
        var planner = DeletionPlanner(policy: policy, bounds: bounds)
        var items: [PlanItem] = []
        var seen = 0
        for id in ids {
            for _ in 0..<400 {
                let subject: Observation.Subject =
                    switch random.next() % 5 {
                    case 0:
                        .zone(
                            RecordZone.ID(pick(["a", "b", "c"])),
                            pick([.notLookedInto, .nothingKept, .holdsKept]))
                    case 1: .defaultZone
                    case 2:
                        .record(
                            zone: RecordZone.ID(pick(zones)), type: pick(types),
                            name: "\(random.next())")
                    case 3:
                        .subscription(
                            id: "\(random.next())", zone: pick([nil] + zones.map { $0 }),
                            recordType: pick([nil] + types.map { $0 }))
                    default: .userRecord
                    }
                seen += 1
                items += planner.observe(
                    Observation(container: id, scope: .private, subject: subject))
            }
        }
        items += planner.finish()
        var named = 0
        for item in items {
            guard case .step(let step) = item else {
                named += 1
                continue
            }
            named += step.itemCount
            #expect(bounds.holds(step.container, step.scope))
            #expect((1...200).contains(step.itemCount))
            let keeps = { (zone: String?, type: String?) in
                rules.contains {
                    ($0.container == nil || $0.container == step.container)
                        && ($0.zone == nil || $0.zone == zone)
                        && ($0.recordType == nil || $0.recordType == type)
                }
            }
            switch step.work {
            case .zones(let zones):
                for zone in zones { #expect(!keeps(zone.zoneName, nil), "seed \(seed)") }
            case .records(let zone, let type, _):
                #expect(!keeps(zone.zoneName, type), "seed \(seed)")
            case .defaultZone:
                for type in types { #expect(!keeps("_defaultZone", type), "seed \(seed)") }
            case .userRecord: #expect(!keeps("_defaultZone", "Users"), "seed \(seed)")
            case .subscriptions: #expect(!keeps(nil, nil), "seed \(seed)")
            }
        }
        #expect(named == seen, "seed \(seed): something was neither planned nor kept")
    }
}
