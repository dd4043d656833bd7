import DonationSync
import Donations
import Testing

/// A device that cannot tell which of its rows were deleted lets the exchanged ones go, and no
/// others.
struct ExchangeJoinTests {
    private func filled(includesItems: Bool) throws -> (ExchangeWorld, ExchangeDevice) {
        let world = try ExchangeWorld()
        let phone = ExchangeDevice(world, seed: 1, includesItems: includesItems)
        phone.donate(.interaction("own"))
        var siri = Donation.interaction("siri")
        siri.isFromSiri = true
        phone.donate(siri)
        phone.donate(.item("item"))
        return (world, phone)
    }

    @Test(arguments: [true, false])
    func `joining a zone with collected deletions leaves what is not exchanged`(
        includesItems: Bool
    ) throws {
        let (world, phone) = try filled(includesItems: includesItems)
        let watch = ExchangeDevice(world, seed: 2) { $0.deletionsKept = 0 }
        watch.sync(rounds: 2)
        watch.delete(.interactionGroup("g"))
        watch.sync(rounds: 3)
        #expect(world.records("Deletion").isEmpty)
        phone.sync(rounds: 2)
        #expect(phone.rows.contains("interaction siri"))
        #expect(!phone.rows.contains("interaction own"))
        #expect(phone.rows.contains("searchableItem item") == !includesItems)
    }

    @Test(arguments: [true, false])
    func `a zone that is lost leaves what was not exchanged`(includesItems: Bool) throws {
        let (world, phone) = try filled(includesItems: includesItems)
        phone.sync(rounds: 2)
        try world.erase(.purged)
        phone.sync(rounds: 2)
        #expect(phone.rows.contains("interaction siri"))
        #expect(!phone.rows.contains("interaction own"))
        #expect(phone.rows.contains("searchableItem item") == !includesItems)
    }
}
