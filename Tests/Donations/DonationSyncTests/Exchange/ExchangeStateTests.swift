import CloudModel
import DonationSync
import Donations
import Testing

/// The table of states, and what opponents and lost answers do to it.
struct ExchangeStateTests {
    private func pair() throws -> (
        world: ExchangeWorld, phone: ExchangeDevice, watch: ExchangeDevice
    ) {
        let world = try ExchangeWorld()
        return (world, ExchangeDevice(world, seed: 1), ExchangeDevice(world, seed: 2))
    }

    // MARK: Lost answers

    @Test(arguments: 0..<24, [false, true])
    func `a request that is lost, before or after it acts, is repeated safely`(
        place: Int, isAfter: Bool
    ) throws {
        let (world, phone, watch) = try pair()
        watch.donate(.interaction("theirs", group: "g"))
        watch.sync(rounds: 2)
        phone.donate(.interaction("first"))
        phone.donate(.activity(nil, title: "nameless"))
        phone.sync(rounds: 1)
        phone.donate(.interaction("first"))
        phone.donate(.interaction("mine"))
        phone.delete(.interactionGroup("g"))
        phone.delete(.interactions(identifiers: ["nobody"]))
        phone.donate(.interaction("after", group: "g"))
        var count = -1
        world.fault = { _ in
            count += 1
            guard count == place else { return (nil, nil) }
            return isAfter
                ? (nil, CloudError(.responseLost)) : (CloudError(.networkFailure), nil)
        }
        for _ in 0..<3 {
            phone.sync()
            world.pass(.seconds(300))
        }
        world.fault = nil
        watch.sync(rounds: 2)
        phone.sync(rounds: 2)
        let expected = [
            "activity nameless", "interaction after", "interaction first", "interaction mine",
            "savedActivity nameless",
        ]
        #expect(phone.rows == expected)
        #expect(watch.rows == expected)
        #expect(world.records("Donation").count + world.records("SavedActivity").count == 5)
        #expect(world.records("Deletion").count == 2)
        #expect(phone.storage.ownDeletions(limit: 9).isEmpty)
    }

    @Test func `two devices that create the zone at once agree on one record`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("p"))
        watch.donate(.interaction("w"))
        var isDone = false
        world.fault = { [world] command in
            guard !isDone, case .write(.modifyRecords(let request)) = command,
                request.operations.first?.recordName == "zone"
            else { return (nil, nil) }
            isDone = true
            let outer = world.fault
            world.fault = nil
            watch.sync()
            world.fault = outer
            return (nil, nil)
        }
        phone.sync(rounds: 2)
        world.fault = nil
        watch.sync(rounds: 2)
        #expect(isDone)
        #expect(
            phone.storage.exchange().incarnation == watch.storage.exchange().incarnation)
        #expect(phone.rows == ["interaction p", "interaction w"])
        #expect(watch.rows == phone.rows)
    }

    // MARK: The table

    @Test func `after a full scan what is absent goes, and what was never sent stays`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("stays"))
        phone.donate(.interaction("goes"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        watch.delete(.interactions(identifiers: ["goes"]))
        watch.sync(rounds: 2)
        let names = world.records("Deletion").map(\.id.recordName)
        try world.modify(names.map { .forceDelete($0) })
        try world.forgetHistory()
        phone.donate(.interaction("new"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        #expect(phone.rows == ["interaction new", "interaction stays"])
        #expect(watch.rows == phone.rows)
        #expect(world.records("Deletion").count == 1, "the deletion was sent again")
    }

    @Test func `what went on this device only does not come back to it`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        watch.delete(.interactions(identifiers: ["a"]), .thisDevice)
        watch.sync()
        #expect(watch.rows == [])
        try world.forgetHistory()
        watch.sync(rounds: 2)
        #expect(watch.rows == [])
        #expect(phone.rows == ["interaction a"])
        // The other device saves the same donation again.
        var row = try #require(phone.storage.rows(after: nil, limit: 1).first)
        row.edits = 1
        phone.storage.setRecord(row)
        phone.sync()
        watch.sync()
        #expect(watch.rows == [])
        // A new act of the other device is another donation.
        phone.donate(.interaction("a"))
        phone.sync()
        watch.sync()
        #expect(watch.rows == ["interaction a"])
        // What is deleted everywhere later goes everywhere, though it is no longer here.
        watch.delete(.interactions(identifiers: ["a"]), .thisDevice)
        watch.delete(.allInteractions)
        watch.sync(rounds: 2)
        phone.sync(rounds: 2)
        #expect(phone.rows == [])
        #expect(world.records("Donation").isEmpty)
    }

    @Test func `what went on this device only and is donated again is sent`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a", group: "first"))
        phone.sync(rounds: 2)
        phone.delete(.interactions(identifiers: ["a"]), .thisDevice)
        // Though the clock was turned back: it was made after the other one went.
        world.pass(.seconds(-3600))
        phone.donate(.interaction("a", group: "second"))
        world.pass(.seconds(7200))
        phone.sync(rounds: 2)
        watch.sync()
        for device in [phone, watch] {
            #expect(device.storage.rows(after: nil, limit: 9).map(\.donation.group) == ["second"])
        }
        #expect(phone.storage.rowsToUpload(after: nil, includingItems: true, limit: 9).isEmpty)
    }

    @Test func `expiry deletes the record, without a deletion`() throws {
        let (world, phone, watch) = try pair()
        var row = Donation.interaction("short")
        row.expiration = world.now.advanced(by: .seconds(60))
        phone.donate(row)
        phone.sync()
        watch.sync()
        #expect(watch.rows.count == 1)
        world.pass(.seconds(120))
        phone.storage.expire(at: world.now)
        phone.sync()
        watch.sync()
        #expect(watch.rows == [])
        #expect(world.records("Deletion").isEmpty)
        #expect(world.records("Donation").isEmpty)
    }

    @Test(arguments: [RecordZone.DeletionReason.purged, .deleted])
    func `a lost zone takes all rows along, and is not created again`(
        reason: RecordZone.DeletionReason
    ) throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("synced"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        phone.donate(.interaction("unsent"))
        phone.delete(.interactionGroup("g"))
        if reason == .deleted { try world.deleteZone() } else { try world.erase(reason) }
        phone.sync(rounds: 3)
        watch.sync(rounds: 3)
        #expect(phone.rows == [])
        #expect(watch.rows == [])
        phone.donate(.interaction("later"))
        phone.sync(rounds: 2)
        #expect(world.records.isEmpty)
        #expect(phone.rows == ["interaction later"])
    }

    // MARK: Opponents

    @Test func `a deletion record that somebody deletes is sent again`() throws {
        let (world, phone, watch) = try pair()
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        phone.delete(.interactionGroup("g"))
        phone.sync(rounds: 2)
        let name = try #require(world.records("Deletion").first?.id.recordName)
        try world.modify([.forceDelete(name)])
        watch.donate(.interaction("concurrent", group: "g"))
        watch.sync()
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        #expect(world.records("Deletion").count == 1)
        #expect(watch.rows == [])
    }

    @Test func `a zone record that somebody deletes is written again as it was`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        let before = try #require(world.records["zone"])
        try world.modify([.forceDelete("zone")])
        phone.sync()
        watch.sync()
        let after = try #require(world.records["zone"])
        #expect(before.fields["incarnation"] == after.fields["incarnation"])
        #expect(before.fields["zoneKey"] == after.fields["zoneKey"])
        #expect(phone.rows == watch.rows)
    }

    @Test func `a zone whose record a whole reading lacks begins anew`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a"))
        phone.sync(rounds: 2)
        world.fault = { command in
            guard case .read(.zoneChanges) = command else { return (nil, nil) }
            return (CloudError(.networkFailure), nil)
        }
        watch.sync()
        world.fault = nil
        world.pass(.seconds(300))
        let before = try #require(world.records["zone"])
        try world.modify([.forceDelete("zone")])
        try world.forgetHistory()
        watch.sync(rounds: 2)
        phone.sync(rounds: 2)
        let after = try #require(world.records["zone"])
        #expect(before.fields["incarnation"] != after.fields["incarnation"])
        #expect(phone.rows.isEmpty && watch.rows.isEmpty)
        #expect(world.records("Donation").isEmpty)
    }

    @Test func `a record that an opponent uploads again goes again`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a", group: "g"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        let old = try #require(world.records("Donation").first)
        phone.delete(.interactionGroup("g"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        try world.modify([
            RecordOperation(
                .create, recordName: old.id.recordName, recordType: old.recordType,
                fields: old.fields.mapValues { $0 })
        ])
        watch.sync()
        phone.sync()
        #expect(watch.rows == [] && phone.rows == [])
        #expect(world.records("Donation").isEmpty)
    }

    @Test func `an emptied zone of the same name means a new beginning`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        try world.recreateZone()
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        #expect(phone.rows == [] && watch.rows == [])
        phone.donate(.interaction("b"))
        phone.sync()
        watch.sync()
        #expect(watch.rows == ["interaction b"])
    }

    @Test func `fields and types of others are left as they are`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        let record = try #require(world.records("Donation").first)
        try world.modify([
            RecordOperation(
                .update, recordName: record.id.recordName,
                recordChangeTag: record.recordChangeTag,
                fields: ["future": Field(.string("kept"))]),
            RecordOperation(
                .create, recordName: "other", recordType: "Unknown",
                fields: ["x": Field(.int64(1))]),
            RecordOperation(
                .create, recordName: "d-nonsense", recordType: "Donation",
                fields: ["kind": Field(.int64(0))]),
            RecordOperation(
                .create, recordName: "x-12-5", recordType: "Deletion",
                fields: ["device": Field(.string("34"))]),
            RecordOperation(
                .create, recordName: "v-12", recordType: "Device",
                fields: ["round": Field(.int64(-1))]),
        ])
        watch.donate(.interaction("a", group: "changed"))
        watch.sync(rounds: 2)
        phone.sync(rounds: 2)
        let records = world.records
        #expect(records[record.id.recordName]?.fields["future"]?.value == .string("kept"))
        #expect(records["other"] != nil)
        #expect(phone.storage.rows(after: nil, limit: 9).first?.donation.group == "changed")
        #expect(phone.report.refusals[.unreadable] ?? 0 > 0)
    }

    @Test func `no deletion record holds a word of what was deleted`() throws {
        let (world, phone, _) = try pair()
        let words = ["secret-name", "secret-group", "secret-domain", "secret-zone", "secret-type"]
        for selector: DonationSelector in [
            .interactions(identifiers: [words[0]]), .interactionGroup(words[1]),
            .searchableDomains([words[2] + ".x"], indexName: words[0]),
            .linked(ContentLink(container: words[3], zone: words[3])), .activityType(words[4]),
            .appEntities(type: words[4], identifiers: [words[0]]),
        ] { phone.delete(selector) }
        phone.sync()
        let deletions = world.records("Deletion")
        #expect(deletions.count == 6)
        for record in deletions {
            #expect(!"\(record)".contains("secret"))
        }
    }

    @Test func `a fenced zone is sent nothing, and what waited is in the rescue log`() throws {
        let (world, phone, _) = try pair()
        phone.donate(.interaction("a", group: "g"))
        phone.sync(rounds: 2)
        phone.delete(.interactionGroup("g"))
        phone.storage.setFences([
            SyncFence(
                address: ExchangeWorld.address, zone: ExchangeWorld.zone.zoneID, run: "run",
                since: world.now)
        ])
        world.requests = []
        phone.sync(rounds: 2)
        #expect(!world.requests.contains { $0.isModifying })
        #expect(phone.storage.rescues(limit: 9).map(\.cause) == [.fenced])
    }

    @Test func `deletions wait while the zone is fenced, and lose no number`() throws {
        let (world, phone, watch) = try pair()
        phone.sync(rounds: 2)
        watch.donate(.interaction("a", group: "g"))
        watch.sync(rounds: 2)
        phone.delete(.interactionGroup("g"))
        phone.storage.setFences([
            SyncFence(
                address: ExchangeWorld.address, zone: ExchangeWorld.zone.zoneID, run: "run",
                since: world.now)
        ])
        phone.sync()
        #expect(world.records("Deletion").isEmpty)
        _ = phone.storage.unfence(ExchangeWorld.zone.zoneID, at: ExchangeWorld.address)
        phone.delete(.interactionGroup("h"))
        phone.sync()
        watch.sync()
        #expect(watch.rows == [])
        let device = try #require(phone.storage.exchange().device)
        #expect(watch.storage.exchange().context[device] == 2)
    }
}
