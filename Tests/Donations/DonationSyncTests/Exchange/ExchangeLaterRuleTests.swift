import CloudModel
import DonationSync
import Donations
import Testing

/// R10 to R15.
struct ExchangeLaterRuleTests {
    private func pair(
        includesItems: Bool = false, _ change: @escaping (inout SyncSettings) -> Void = { _ in }
    ) throws -> (world: ExchangeWorld, phone: ExchangeDevice, watch: ExchangeDevice) {
        let world = try ExchangeWorld()
        let devices = [1, 2].map { seed in
            ExchangeDevice(world, seed: seed, includesItems: includesItems, change)
        }
        return (world, devices[0], devices[1])
    }

    @Test func `R10 what was deleted everywhere is not revived by a rebuild`() throws {
        let (_, phone, watch) = try pair()
        phone.sync()
        phone.delete(.searchableItems(identifiers: ["x"], indexName: nil))
        phone.sync()
        watch.sync()
        let theirs = Exchange.knowledge(watch.storage, digest: .cheap)
        #expect(theirs.forbidsRevival(of: .item("x")))
        #expect(!theirs.forbidsRevival(of: .item("y")))
        // Before it is sent, its maker knows it too.
        phone.delete(.searchableItems(identifiers: ["y"], indexName: nil))
        let own = Exchange.knowledge(phone.storage, digest: .cheap)
        #expect(own.forbidsRevival(of: .item("x")) && own.forbidsRevival(of: .item("y")))
    }

    @Test func `R11 a row that cannot be sent is reported once, and stays here`() throws {
        let (world, phone, watch) = try pair()
        var large = Donation.interaction("large")
        large.payload = PayloadValue.data(Array(repeating: 1, count: 120_000)).encoded
        phone.donate(large)
        phone.donate(.interaction("small"))
        phone.sync(rounds: 3)
        watch.sync()
        #expect(phone.report.refusals == [.needsAsset: 1])
        #expect(phone.rows.count == 2)
        #expect(watch.rows == ["interaction small"])
        // A smaller version of it is sent.
        phone.donate(.interaction("large"))
        phone.sync()
        watch.sync()
        #expect(watch.rows.count == 2)
        #expect(world.records("Donation").count == 2)
    }

    @Test func `R11 a row that a deletion covers is reported, and its record goes`() throws {
        let (world, phone, watch) = try pair()
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        watch.donate(.interaction("late", group: "g"))
        watch.sync(rounds: 1)
        phone.delete(.interactionGroup("g"))
        phone.sync()
        #expect(phone.report.refusals == [.covered: 1])
        #expect(world.records("Donation").isEmpty)
    }

    @Test func `R12 a deletion is done here without network, and goes when there is one`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a", group: "g"))
        phone.sync()
        watch.sync()
        world.fault = { _ in (CloudError(.networkFailure), nil) }
        phone.delete(.interactionGroup("g"))
        #expect(phone.rows.isEmpty)
        guard case .wait(_, .network) = phone.sync() else {
            Issue.record("no wait")
            return
        }
        world.fault = nil
        world.pass(.seconds(300))
        phone.sync()
        watch.sync()
        #expect(watch.rows.isEmpty)
    }

    @Test func `R13 deletions travel though uploading is off`() throws {
        let (world, phone, watch) = try pair()
        phone.donate(.interaction("a", group: "g"))
        phone.sync()
        watch.sync()
        Exchange.setOn(false, &phone.storage)
        Exchange.setOn(false, &watch.storage)
        watch.donate(.interaction("never sent", group: "g"))
        phone.donate(.interaction("private"))
        phone.delete(.interactionGroup("g"))
        phone.sync()
        watch.sync()
        #expect(watch.rows.isEmpty)
        #expect(world.records("Donation").isEmpty, "nothing is uploaded")
        Exchange.setOn(true, &phone.storage)
        Exchange.setOn(true, &watch.storage)
        phone.sync()
        watch.sync()
        #expect(watch.rows == ["interaction private"], "what came meanwhile is taken now")
    }

    @Test func `R13 a device that never took part sends and keeps nothing`() throws {
        let world = try ExchangeWorld()
        let phone = ExchangeDevice(world, seed: 1, isOn: false)
        phone.donate(.interaction("a", group: "g"))
        phone.delete(.interactionGroup("g"))
        #expect(phone.storage.ownDeletions(limit: 9).isEmpty)
        #expect(phone.sync() == .idle)
        #expect(!world.requests.contains { $0.isModifying })
    }

    @Test(arguments: [false, true])
    func `R14 a reset of encrypted data drops donations, or keeps them`(keeps: Bool) throws {
        let (world, phone, watch) = try pair { $0.keepsDonationsOnReset = keeps }
        phone.donate(.interaction("a"))
        phone.donate(.activity(nil, title: "t"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        try world.erase(.encryptedDataReset)
        watch.sync(rounds: 3)
        phone.sync(rounds: 3)
        watch.sync(rounds: 2)
        #expect(phone.rows == watch.rows)
        #expect(phone.rows.count == (keeps ? 3 : 0))
        phone.donate(.interaction("b"))
        phone.sync()
        watch.sync()
        #expect(watch.rows.contains("interaction b"), "the zone was made anew")
    }

    @Test func `R15 an activity waits out of sight for its item, subject to deletions`() throws {
        let (_, phone, watch) = try pair()
        phone.donate(.item("x"))
        phone.donate(.activity("p", title: "about x", related: "x"))
        phone.sync()
        watch.sync()
        #expect(watch.rows == ["activity p", "savedActivity p"])
        #expect(watch.visible == [])
        watch.donate(.item("x"))
        #expect(watch.visible == ["activity p", "savedActivity p", "searchableItem x"])

        let (_, third, fourth) = try pair()
        third.donate(.item("x"))
        third.donate(.activity("p", title: "about x", related: "x"))
        third.sync()
        fourth.sync()
        third.delete(.searchableItems(identifiers: ["x"], indexName: nil))
        third.sync()
        fourth.sync()
        #expect(fourth.rows == [])
    }

    @Test func `items are synced when asked for, and take their activities along`() throws {
        let (world, phone, watch) = try pair(includesItems: true)
        phone.donate(.item("x", domain: "a.b"))
        phone.donate(.activity("p", title: "about x", related: "x"))
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        #expect(watch.visible == phone.visible)
        #expect(watch.visible.count == 3)
        watch.delete(.searchableDomains(["a"], indexName: nil))
        watch.sync(rounds: 2)
        phone.sync(rounds: 2)
        #expect(phone.rows == [])
        #expect(world.records("SearchItem").isEmpty)
        #expect(world.records("Donation").isEmpty)
    }
}
