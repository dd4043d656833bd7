import DonationSync
import Donations

/// What goes with content.
extension StorageContract {
    func checkLinkedRecords<Storage: SyncStorage>(_ storage: inout Storage) throws {
        for kind in DonationKind.donations {
            try storage.putRow(Sample.row(kind, "\(kind) a", link: Sample.link("a")))
            try storage.putRow(Sample.row(kind, "\(kind) b", link: Sample.link("b")))
        }
        try storage.putRow(Sample.row("zone", link: Sample.link(nil)))
        try storage.putRow(Sample.row("none"))
        var anyScope = Sample.link("a")
        anyScope.scope = nil
        try storage.putRow(Sample.row("any scope", link: anyScope))
        var owned = Sample.link("a")
        owned.zoneOwner = "_bob"
        try storage.putRow(Sample.row("owned", link: owned))
        try same(
            try storage.deleteLinked([Sample.link("a"), Sample.link("missing")], .here), 5,
            "rows that went")
        try same(
            try storage.contents(),
            (DonationKind.donations.map { "\($0) b" } + ["any scope", "none", "owned", "zone"])
                .sorted(), "rows that stay")
        try same(try storage.deleteLinked([], .here), 0, "rows of nothing")
    }

    func checkLinkedZones<Storage: SyncStorage>(_ storage: inout Storage) throws {
        for (name, link) in [
            ("record", Sample.link("a")), ("zone", Sample.link(nil)),
            ("other zone", Sample.link("a", zone: "Y")),
            ("other container", ContentLink(container: "iCloud.two")),
            ("container", ContentLink(Sample.here.container)),
        ] {
            try storage.putRow(Sample.row(name, link: link))
        }
        try same(try storage.deleteLinked([Sample.link(nil)], .here), 2, "rows of a zone")
        try same(
            try storage.contents(), ["container", "other container", "other zone"],
            "what a zone leaves")
        try same(
            try storage.deleteLinked([ContentLink(Sample.here.container)], .here), 2,
            "rows of a container")
        try same(try storage.contents(), ["other container"], "what a container leaves")
    }

    func checkRelatedActivities<Storage: SyncStorage>(_ storage: inout Storage) throws {
        try storage.putRow(Sample.row(.searchableItem, "item", link: Sample.link("a")))
        try storage.putRow(Sample.row(.searchableItem, "other item", link: Sample.link("b")))
        for kind in [DonationKind.activity, .savedActivity] {
            for (name, item, record) in [
                ("plain", "item", nil), ("linked elsewhere", "item", "b"),
                ("of another", "other item", nil),
            ] as [(String, String, String?)] {
                try storage.putRow(
                    Sample.row(kind, "\(kind) \(name)", link: record.map { Sample.link($0) }) {
                        $0.donation.relatedIdentifier = item
                    })
            }
            try storage.putRow(
                Sample.row(kind, "\(kind) weak") { $0.donation.weakRelatedIdentifier = "item" })
        }
        try same(try storage.deleteLinked([Sample.link("a")], .here), 5, "rows that went")
        try same(
            try storage.contents(),
            [
                "activity of another", "activity weak", "other item", "savedActivity of another",
                "savedActivity weak",
            ], "what stays")
    }

    func checkGroups<Storage: SyncStorage>(_ storage: inout Storage) throws {
        for (name, record, group) in [
            ("1", "a", "own"), ("2", nil, "own"), ("3", "a", "both"), ("4", "b", "both"),
            ("5", nil, "both"), ("6", nil, "other"), ("7", "a", ""), ("8", nil, ""),
        ] as [(String, String?, String)] {
            try storage.putRow(
                Sample.row(name, link: record.map { Sample.link($0) }) {
                    $0.donation.group = group
                })
        }
        // Only interactions have groups.
        try storage.putRow(
            Sample.row(.appIntent, "intent", link: Sample.link("b")) {
                $0.donation.group = "own"
            })
        try same(try storage.deleteLinked([Sample.link("a")], .here), 4, "rows that went")
        try same(try storage.contents(), ["4", "5", "6", "8", "intent"], "what stays")
    }

    func checkPersistentIdentifiers<Storage: SyncStorage>(_ storage: inout Storage) throws {
        for (name, record, identifier) in [
            ("1", "a", "own"), ("2", nil, "own"), ("3", "a", "both"), ("4", "b", "both"),
            ("5", nil, "both"), ("6", nil, "other"),
        ] as [(String, String?, String)] {
            try storage.putRow(
                Sample.row(.activity, name, link: record.map { Sample.link($0) }) {
                    $0.donation.persistentIdentifier = identifier
                })
        }
        try storage.putRow(
            Sample.row(.savedActivity, "saved") { $0.donation.persistentIdentifier = "own" })
        try storage.putRow(
            Sample.row("interaction") { $0.donation.persistentIdentifier = "own" })
        try same(try storage.deleteLinked([Sample.link("a")], .here), 4, "rows that went")
        try same(try storage.contents(), ["4", "5", "6", "interaction"], "what stays")
    }

    func checkScrubbing<Storage: SyncStorage>(_ storage: inout Storage) throws {
        try storage.putRow(
            Sample.row(.savedActivity, "saved", link: Sample.link("a")) {
                $0.donation.persistentIdentifier = "own"
            })
        for name in ["own", "other"] {
            try storage.putRow(
                Sample.row(name, record: "d-\(name)") {
                    $0.isRefused = true
                    $0.donation.nestedActivity = .init(
                        activityType: "T", persistentIdentifier: name, payload: [])
                })
        }
        try same(try storage.deleteLinked([Sample.link("a")], .here), 1, "rows that went")
        let own = try storage.row(named: "d-own")
        try same(own?.donation.nestedActivity, nil, "the nested activity")
        try same(own?.edits, 1, "its edits")
        try same(own?.isRefused, false, "its refusal")
        let other = try storage.row(named: "d-other")
        try hold(other?.donation.nestedActivity != nil, "another nested activity stays")
        try same(other?.edits, 0, "the other's edits")
    }

    func checkRemovals<Storage: SyncStorage>(_ storage: inout Storage) throws {
        for (name, record) in [("1", "a"), ("2", "b")] {
            try storage.putRow(
                Sample.row(name, link: Sample.link(record), record: "d-\(name)"))
            try storage.putRow(Sample.row("\(name) unsent", link: Sample.link(record)))
        }
        _ = try storage.deleteLinked([Sample.link("a")], .here)
        try same(try storage.pendingDeletes(limit: 9), [], "what is deleted here only")
        try same(
            try storage.gone("d-1"),
            GoneRecord("d-1", tag: "t", isToDelete: false, donatedAt: Sample.now),
            "a record whose row went here")
        _ = try storage.deleteLinked([Sample.link("b")], .everywhere)
        let record = GoneRecord("d-2", tag: "t", isToDelete: true)
        try same(try storage.pendingDeletes(limit: 9), [record], "what is deleted everywhere")
        try same(try storage.ownDeletions(limit: 9), [], "deletions noted")
    }

    /// Names that Swift's `==` takes for one are two.
    func checkBytes<Storage: SyncStorage>(_ storage: inout Storage) throws {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        for (name, group) in [("1", composed), ("2", decomposed)] {
            try storage.putRow(
                Sample.row(name, link: Sample.link(group)) { $0.donation.group = group })
        }
        try storage.putRow(Sample.row("3") { $0.donation.group = decomposed })
        try same(try storage.deleteLinked([Sample.link(composed)], .here), 1, "rows that went")
        try same(try storage.contents(), ["2", "3"], "what stays")
        try same(try storage.deleteLinked([Sample.link(decomposed)], .here), 2, "the others")
    }
}
