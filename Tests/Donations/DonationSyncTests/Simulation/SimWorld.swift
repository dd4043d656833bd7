import Basics
import CloudModel
import DonationSync
import Donations

/// Names of a simulated world. Words that a user or app chose are long enough to be looked for
/// in what must not hold them.
enum SimWorld {
    static let container = Container.ID("iCloud.com.example.journal")!
    static let contentZones = ["Notes", "Photos"]
    static let records = ["record-one", "record-two", "record-three"]
    static let `private` = Database.Address(
        container: container, environment: .production, scope: .private)
    static let shared = Database.Address(
        container: container, environment: .production, scope: .shared)
    /// The zones of the app and of another app of the same user.
    static let zone = DonationZone(bundleDigest: "a1b2c3d4")
    static let otherZone = DonationZone(bundleDigest: "99887766")

    /// An end beyond this is none that an app named.
    static let farAway = Timestamp(milliseconds: 2_500_000_000_000)

    static let identifiers = ["identifier-one", "identifier-two", "identifier-three"]
    static let groups = ["group-of-ann", "group-of-bob"]
    static let persistent = ["persistent-one", "persistent-two"]
    static let items = ["item-one", "item-two", "item-three"]
    static let domains = ["domain", "domain.inner", "domains"]
    static let entities = ["entity-one", "entity-two"]
    static let types = ["com.example.reading", "com.example.writing"]

    /// Every word of the above that must not be in a deletion record.
    static let words =
        identifiers + groups + persistent + items + domains + entities + types
        + records + contentZones
}
