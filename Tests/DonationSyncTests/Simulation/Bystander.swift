import CloudModel
import Donations

/// A device whose donations nobody in the run has anything to do with: of another app of the same
/// user, or of another user (I7).
final class Bystander {
    let device: SimDevice
    private var titles: [String] = []

    init(_ device: SimDevice) { self.device = device }

    /// Donates what must stay as it is.
    func donate(_ titles: [String], now: Timestamp) throws {
        for (index, title) in titles.enumerated() {
            var row = Donation(
                index % 2 == 0 ? .interaction : .searchableItem,
                identifier: SimWorld.items[index % SimWorld.items.count],
                type: SimWorld.types[0], at: now)
            row.title = title
            row.group = SimWorld.groups[0]
            row.domain = SimWorld.domains[0]
            if try device.donate(row, now: now) { self.titles.append(title) }
        }
    }

    /// - Parameter isTheirs: Whether a donation with this title is another one of the same user.
    func check(besides isTheirs: (String) -> Bool) throws {
        let found = try device.donations().compactMap(\.title).filter { !isTheirs($0) }.sorted()
        guard found == titles.sorted() else {
            throw Breach("I7", device: device.index, "holds \(found) and not \(titles)")
        }
    }
}
