import CloudModel
import DonationSync
import Donations
import Testing

struct ExchangeTests {
    @Test func `a donation of one device comes to another, and both come to rest`() throws {
        let world = try ExchangeWorld()
        let (phone, watch) = (ExchangeDevice(world, seed: 1), ExchangeDevice(world, seed: 2))
        phone.donate(.interaction("hello", group: "ann"))
        phone.donate(.activity("page", title: "A page"))
        phone.donate(.activity(nil, title: "Nameless"))
        #expect(phone.sync() == .idle)
        #expect(watch.sync() == .idle)
        #expect(watch.rows == phone.rows)
        #expect(watch.rows.count == 5)
        phone.sync(rounds: 2)
        watch.sync(rounds: 2)
        world.requests = []
        phone.sync()
        watch.sync()
        #expect(world.requests.count == 2, "a device at rest asks once")
    }

    @Test func `a deletion of one device acts on all, and its record holds no word`() throws {
        let world = try ExchangeWorld()
        let (phone, watch) = (ExchangeDevice(world, seed: 1), ExchangeDevice(world, seed: 2))
        phone.donate(.interaction("hello", group: "ann"))
        phone.sync()
        watch.sync()
        watch.donate(.interaction("later", group: "ann"))
        watch.donate(.interaction("other"))
        phone.delete(.interactionGroup("ann"))
        phone.sync()
        watch.sync()
        #expect(watch.rows == ["interaction other"])
        phone.sync()
        #expect(phone.rows == ["interaction other"])
        #expect(world.records("Donation").count == 1)
    }
}
