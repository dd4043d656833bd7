import Basics
import CloudModel
import DonationSync
import Donations

/// Zones and the names in them.
extension StorageContract {
    func checkZones<Storage: SyncStorage>(_ storage: inout Storage) throws {
        try same(try storage.zone(Sample.zone, at: Sample.here), nil, "an unknown zone")
        let statuses: [SyncZoneStatus] =
            [.unknown, .live, .unclear] + SyncGoneReason.allCases.map { .gone($0) }
        for status in statuses {
            var zone = SyncZone(Sample.zone)
            zone.status = status
            zone.token = ChangeToken("dG9rZW4=")
            zone.generation = 4
            zone.isScanning = false
            zone.abortedScans = 2
            zone.isSweeping = true
            zone.isDirty = true
            zone.repeats = 1
            zone.listGeneration = 8
            zone.newest = Timestamp(milliseconds: 5)
            zone.floor = Timestamp(milliseconds: 6)
            zone.isUnlisted = true
            zone.fencedBy = "r"
            zone.isDoubted = true
            try storage.setZone(zone, at: Sample.here)
            try same(try storage.zone(Sample.zone, at: Sample.here), zone, "a zone")
        }
        try storage.setZone(SyncZone(Sample.zone), at: Sample.here)
        try same(
            try storage.zone(Sample.zone, at: Sample.here), SyncZone(Sample.zone),
            "an emptied zone")
    }

    func checkZoneOwners<Storage: SyncStorage>(_ storage: inout Storage) throws {
        let address = Sample.address("iCloud.one", .shared)
        let owned = ["_bob", "_carol"].map { RecordZone.ID("Z", ownerRecordName: $0) }
        for (number, id) in owned.enumerated() {
            var zone = SyncZone(id)
            zone.generation = Int64(number + 5)
            try storage.setZone(zone, at: address)
            try storage.note(["a"], in: id, at: address, generation: Int64(number + 1))
        }
        try same(try storage.zone(owned[0], at: address)?.generation, 5, "Bob's zone")
        try same(try storage.zone(owned[1], at: address)?.generation, 6, "Carol's zone")
        try same(try storage.zone(Sample.zone, at: address), nil, "nobody's zone")
        try same(
            try storage.zones(at: address, limit: 10).map(\.id), owned, "zones by owner and name")
        try same(try storage.zones(at: address, limit: 1).map(\.id), [owned[0]], "one zone")
        try same(
            try storage.notedNames(among: ["a"], in: owned[0], at: address, before: 2), ["a"],
            "Bob's names")
        try same(
            try storage.notedNames(among: ["a"], in: owned[1], at: address, before: 2), [],
            "Carol's names")
    }

    func checkFilters<Storage: SyncStorage>(_ storage: inout Storage) throws {
        func put(_ name: String, _ change: (inout SyncZone) -> Void) throws {
            var zone = SyncZone(RecordZone.ID(name))
            zone.status = .live
            zone.listGeneration = 5
            change(&zone)
            try storage.setZone(zone, at: Sample.here)
        }
        try put("rest") { _ in }
        try put("gone") {
            $0.status = .gone(.deleted)
            $0.listGeneration = 1
        }
        for filter in [SyncZoneFilter.dirty, .doubted, .unlisted(before: 5)] {
            try same(
                try storage.firstZone(filter, at: Sample.here)?.id.zoneName, nil, "\(filter)")
        }
        try put("dirty") { $0.isDirty = true }
        try put("doubted") { $0.isDoubted = true }
        try put("unlisted") { $0.listGeneration = 4 }
        for (filter, name) in [
            (SyncZoneFilter.dirty, "dirty"), (.doubted, "doubted"),
            (.unlisted(before: 5), "unlisted"),
        ] {
            try same(
                try storage.firstZone(filter, at: Sample.here)?.id.zoneName, name, "\(filter)")
        }
        try put("dirty") { $0.isSweeping = true }
        try put("unlisted") {
            $0.listGeneration = 4
            $0.status = .unclear
        }
        try same(
            try storage.firstZone(.dirty, at: Sample.here)?.id.zoneName, "dirty", "a sweep")
        try same(
            try storage.firstZone(.unlisted(before: 5), at: Sample.here)?.id.zoneName, "unlisted",
            "an unclear zone")
        try same(
            try storage.firstZone(.dirty, at: Sample.address("iCloud.two")), nil,
            "another database")
    }

    func checkNames<Storage: SyncStorage>(_ storage: inout Storage) throws {
        let here = Sample.here
        let zone = Sample.zone
        func noted(_ before: Int64) throws -> [String] {
            try storage.notedNames(
                among: ["a", "b", "c", "d"], in: zone, at: here, before: before
            ).sorted()
        }
        try storage.note(["a", "b", "c"], in: zone, at: here, generation: 1)
        try storage.note(["b"], in: zone, at: here, generation: 2)
        try storage.note(["d"], in: .init("Y"), at: here, generation: 1)
        try same(try noted(1), [], "names before the first generation")
        try same(try noted(2), ["a", "c"], "names of the first generation")
        try same(try noted(3), ["a", "b", "c"], "all names")
        try storage.forgetNames(["a", "never noted"], in: zone, at: here)
        try same(try noted(3), ["b", "c"], "names that were not forgotten")
        try storage.forgetNames(in: zone, at: here)
        try same(try noted(3), [], "names of a forgotten zone")
        try same(
            try storage.notedNames(among: ["d"], in: .init("Y"), at: here, before: 2), ["d"],
            "another zone's names")
    }

    func checkSweeps<Storage: SyncStorage>(_ storage: inout Storage) throws {
        for name in ["old", "new", "never noted"] {
            try storage.putRow(Sample.row(name, link: Sample.link(name)))
        }
        try storage.putRow(Sample.row("zone", link: Sample.link(nil)))
        try storage.putRow(Sample.row("elsewhere", link: Sample.link("old", zone: "Y")))
        try storage.note(["old", "new"], in: Sample.zone, at: Sample.here, generation: 1)
        try storage.note(["new"], in: Sample.zone, at: Sample.here, generation: 2)
        var rows = 0
        var calls = 0
        while calls < 10 {
            calls += 1
            let sweep = try storage.sweepNames(
                in: Sample.zone, at: Sample.here, before: 2, links: [Sample.link(nil)],
                limit: 100)
            rows += sweep.rows
            if sweep.isFinished { break }
        }
        try hold(calls < 10, "a sweep comes to an end")
        try same(rows, 1, "rows swept")
        try same(
            try storage.contents(), ["elsewhere", "never noted", "new", "zone"],
            "what a sweep leaves")
        try same(
            try storage.notedNames(
                among: ["old", "new"], in: Sample.zone, at: Sample.here, before: 3), ["new"],
            "names that a sweep leaves")
    }

    func checkSweepChunks<Storage: SyncStorage>(_ storage: inout Storage) throws {
        let names = (1...20).map { "name \($0)" }
        for name in names { try storage.putRow(Sample.row(name, link: Sample.link(name))) }
        try storage.note(names, in: Sample.zone, at: Sample.here, generation: 1)
        var rows = 0
        var calls = 0
        while calls < 100 {
            calls += 1
            let sweep = try storage.sweepNames(
                in: Sample.zone, at: Sample.here, before: 2,
                links: [
                    Sample.link(nil),
                    {
                        var link = Sample.link(nil)
                        link.zoneOwner = "_alice"
                        return link
                    }(),
                ], limit: 3)
            rows += sweep.rows
            if sweep.isFinished { break }
        }
        try hold(calls > 1, "a limit is kept")
        try hold(calls < 100, "a sweep comes to an end")
        try same(rows, 20, "rows swept")
        try same(try storage.contents(), [], "what a sweep leaves")
    }
}
