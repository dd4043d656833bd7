import CloudModel
import DonationSync
import Donations
import Testing

/// The donation zone as two witnesses tell of it: the database's feed and its own.
struct ExchangeZoneTests {
    /// A device that synced a row, and then did not find the zone although its database's feed
    /// said nothing of it.
    private func doubtful() throws -> (world: ExchangeWorld, phone: ExchangeDevice) {
        let world = try ExchangeWorld()
        let phone = ExchangeDevice(world, seed: 1)
        phone.donate(.interaction("synced"))
        phone.sync(rounds: 2)
        phone.donate(.interaction("unsent"))
        world.fault = { command in
            guard case .read(.zoneChanges) = command else { return (nil, nil) }
            return (CloudError(.zoneNotFound), nil)
        }
        phone.sync()
        world.fault = nil
        #expect(status(phone) == .unclear)
        #expect(phone.rows == ["interaction synced", "interaction unsent"])
        return (world, phone)
    }

    private func status(_ device: ExchangeDevice) -> SyncZoneStatus? {
        device.storage.zone(ExchangeWorld.zone.zoneID, at: ExchangeWorld.address)?.status
    }

    @Test func `an unclear zone that a whole list lacks is asked for, and is lost`() throws {
        let (world, phone) = try doubtful()
        try world.deleteZone()
        try world.forgetHistory()
        phone.sync()
        #expect(status(phone) == .gone(.deleted))
        #expect(phone.rows == [])
    }

    @Test func `an unclear zone that a whole list lacks and that answers is live`() throws {
        let (world, phone) = try doubtful()
        try world.forgetHistory()
        let list = CloudReply.zonePage(
            ZonePage(zones: [], token: ChangeToken("incomplete"), moreComing: false))
        world.answer = { command in
            if case .read(.databaseChanges(token: nil, _)) = command { list } else { nil }
        }
        phone.sync()
        #expect(status(phone) == .live)
        #expect(phone.rows == ["interaction synced", "interaction unsent"])
        #expect(world.records("Donation").count == 2)
    }

    @Test func `a zone that answered is not made again when the user erases it then`() throws {
        let world = try ExchangeWorld()
        ExchangeDevice(world, seed: 1).sync(rounds: 2)
        let phone = ExchangeDevice(world, seed: 2)
        let list = CloudReply.zonePage(
            ZonePage(zones: [], token: ChangeToken("incomplete"), moreComing: false))
        world.answer = { command in
            if case .read(.databaseChanges) = command { list } else { nil }
        }
        world.fault = { [world] command in
            switch command {
            case .read(.zoneChanges): try? world.modify([.forceDelete("zone")])
            case .write(.modifyRecords): try? world.erase(.purged)
            default: break
            }
            return (nil, nil)
        }
        world.requests = []
        phone.sync(rounds: 3)
        #expect(
            world.requests.contains { if case .write(.modifyRecords) = $0 { true } else { false } })
        #expect(
            !world.requests.contains { if case .write(.modifyZones) = $0 { true } else { false } })
    }

    @Test func `an unclear zone that the feed names is live`() throws {
        let (world, phone) = try doubtful()
        try world.forgetHistory()
        phone.sync()
        #expect(status(phone) == .live)
        #expect(world.records("Donation").count == 2)
    }
}
