import CloudModel
import Journal
import Testing

struct SeenContractTests {
    @Test(arguments: JournalKind.all)
    func `seen rows are a set, sorted, and read a page at a time`(kind: JournalKind) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(try start("one"), []).key
        let rows = (0..<25).map { row(.zone, zone: "zone \($0)") }
        try await journal.write([.seen(.fresh, rows), .seen(.fresh, rows.reversed())], run: run)
        var read: [SeenRow] = []
        while true {
            let page = try await journal.seen(
                run: run, in: .fresh, after: read.last, limit: 10)
            if page.isEmpty { break }
            read += page
        }
        #expect(read == rows.sorted { $0.zone < $1.zone })
    }

    @Test(arguments: JournalKind.all)
    func `rows come by container, database, kind, zone, type and name, whole`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(try start("one"), []).key
        var rows: [SeenRow] = []
        for container in 0..<2 {
            for scope in Database.Scope.allCases {
                for kind in ItemKind.allCases {
                    rows += [("", "n"), ("T", "m"), ("T", "n")].map {
                        SeenRow(
                            container: container, scope: scope, kind: kind, zone: "z",
                            type: kind.isSameByName ? $0.1 : $0.0,
                            name: kind.isSameByName ? $0.0 + $0.1 : $0.1, detail: 3,
                            isKept: container == 1)
                    }
                }
            }
        }
        // By name, whatever the type: Tm, Tn, n.
        let expected = rows.enumerated().map { index, row in
            row.kind.isSameByName ? rows[index / 3 * 3 + (index % 3 + 1) % 3] : row
        }
        try await journal.write([.seen(.planned, rows.reversed())], run: run)
        #expect(
            try await journal.seen(run: run, in: .planned, after: nil, limit: 999) == expected)
        for (index, row) in expected.enumerated() {
            let next = try await journal.seen(run: run, in: .planned, after: row, limit: 1)
            #expect(next.first == (index + 1 < expected.count ? expected[index + 1] : nil))
        }
    }

    @Test(arguments: JournalKind.all)
    func `a row's detail and its mark can be set later, and survive being seen again`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(try start("one"), []).key
        var zone = row(.zone, zone: "Notes")
        let subscription = row(.subscription, zone: "Notes", name: "s")
        try await journal.write([.seen(.planned, [zone, subscription])], run: run)
        zone.detail = 2
        try await journal.write(
            [
                .detail(.planned, zone),
                // A subscription is the same by its name.
                .kept(.planned, [zone, row(.subscription, zone: "Other", name: "s")]),
                .seen(.planned, [row(.zone, zone: "Notes")]),
            ], run: run)
        zone.isKept = true
        let expected = [row(.subscription, zone: "Notes", name: "s", kept: true), zone]
        #expect(
            try await journal.seen(run: run, in: .planned, after: nil, limit: 9) == expected)
    }

    @Test(arguments: JournalKind.all)
    func `S3 what is to be kept must have been seen`(kind: JournalKind) async throws {
        let folder = Folder()
        let run = try await kind.open(folder).begin(
            try start("one"), [.seen(.planned, [row(.zone, zone: "Notes")])]
        ).key
        for change: JournalChange in [
            .kept(.planned, [row(.zone, zone: "Notse")]),
            .kept(.fresh, [row(.zone, zone: "Notes")]),
            .detail(.planned, row(.zone, zone: "Notse")),
        ] {
            let error = await #expect(throws: JournalError.self) {
                try await kind.open(folder).write([change], run: run)
            }
            #expect(error?.code == .illegalMove)
        }
    }

    @Test(arguments: JournalKind.all)
    func `what a look saw is counted by sort, and forgotten alone`(kind: JournalKind) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(try start("one"), []).key
        let rows = [
            row(.record, type: "A", name: "1"), row(.record, type: "A", name: "2", kept: true),
            row(.record, type: "B", name: "1"), row(.subscription, type: "A", name: "s"),
        ]
        try await journal.write([.seen(.planned, rows), .seen(.fresh, rows)], run: run)
        let counts = try await journal.seenCounts(run: run, in: .fresh)
        #expect(
            counts.map { "\($0.kind) \($0.type) \($0.count)" } == [
                "subscription  1", "record A 2", "record B 1",
            ])
        try await journal.write([.forget(.planned)], run: run)
        #expect(try await journal.seenCounts(run: run, in: .planned).isEmpty)
        #expect(try await journal.seenCounts(run: run, in: .fresh) == counts)
    }

    // MARK: Deciding what may be sent

    @Test(arguments: JournalKind.all)
    func `what is there now and was not planned is counted by place`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(
            try start("one", containers: ["iCloud.a", "iCloud.b"]), []
        ).key
        var elsewhere = row(.zone, zone: "same")
        elsewhere.container = 1
        var inPublic = row(.record, zone: "_defaultZone", type: "T", name: "same")
        inPublic.scope = .public
        try await journal.write(
            [
                .seen(
                    .planned,
                    [
                        row(.zone, zone: "gone"), row(.zone, zone: "same"),
                        row(.zone, zone: "was kept", kept: true),
                        row(.subscription, name: "sub"),
                        row(.record, zone: "_defaultZone", type: "T", name: "same"),
                    ]),
                .seen(
                    .fresh,
                    [
                        row(.zone, zone: "same"), row(.zone, zone: "new"), elsewhere,
                        row(.zone, zone: "was kept"), row(.zone, zone: "new kept", kept: true),
                        row(.subscription, zone: "zone", type: "U", name: "sub"),
                        row(.subscription, name: "other"),
                        row(.record, zone: "_defaultZone", type: "T", name: "same"),
                        row(.record, zone: "_defaultZone", type: "U", name: "same"), inPublic,
                        row(.sharedZone, zone: "shared"),
                    ]),
            ], run: run)
        // What another run planned covers nothing of this one.
        _ = try await journal.begin(
            try start("two", containers: ["iCloud.a", "iCloud.b"]),
            [.seen(.planned, [row(.zone, zone: "new")])])
        let counts = try await journal.unplanned(run: run)
        #expect(
            counts.map { "\($0.container) \($0.scope) \($0.kind) \($0.count)" }.sorted() == [
                "0 private record 1", "0 private sharedZone 1", "0 private subscription 1",
                "0 private zone 2", "0 public record 1", "1 private zone 1",
            ])
    }

    @Test(arguments: JournalKind.all)
    func `S3 only what the look saw and no rule keeps may be sent`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(try start("one"), []).key
        let seen = [
            row(.zone, zone: "a"), row(.zone, zone: "kept"), row(.zone, zone: "planned only"),
            row(.subscription, zone: "z", name: "s"), row(.record, zone: "z", type: "T", name: "r"),
        ]
        let other = try await journal.begin(try start("two"), [.seen(.fresh, seen)])
        try await journal.write(
            [
                .seen(.planned, seen),
                .seen(.fresh, [seen[0], seen[1], seen[3], seen[4]]), .kept(.fresh, [seen[1]]),
            ], run: run)
        var asked = seen
        asked[3].zone = "elsewhere"
        var unlike = seen[4]
        unlike.type = "U"
        var inPublic = seen[0]
        inPublic.scope = .public
        var elsewhere = seen[0]
        elsewhere.container = 1
        asked += [unlike, inPublic, elsewhere, row(.zone, zone: "never")]
        let deletable = try await journal.deletable(asked, run: run, in: .fresh)
        #expect(deletable == [asked[0], asked[3], asked[4]])
        #expect(try await journal.deletable(asked, run: other.key, in: .fresh).count == 5)
    }
}
