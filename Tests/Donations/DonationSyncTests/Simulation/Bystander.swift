import Basics
import Donations

/// A device whose donations nobody in the run has anything to do with: of another app of the same
/// user, or of another user (I7).
final class Bystander {
    let device: SimDevice
    private var rows: [Donation] = []

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
            if try device.donate(row, now: now) { rows.append(row) }
        }
    }

    /// - Parameters:
    ///   - isTheirs: Whether a donation with this title is another one of the same user; it may
    ///     take the place of the same item.
    ///   - mayLose: Whether the service lost the zone.
    func check(besides isTheirs: (String) -> Bool, mayLose: Bool) throws {
        let present = try device.donations()
        let others = present.filter { isTheirs($0.title ?? "") }
        let found = present.compactMap(\.title).filter { !isTheirs($0) }.sorted()
        let wanted = rows.filter { row in
            let isReplaced = others.contains {
                $0.kind == row.kind && $0.identifier == row.identifier
            }
            return !isReplaced
        }.compactMap(\.title).sorted()
        guard found == wanted || mayLose && Set(found).isSubset(of: wanted) else {
            throw Breach("I7", device: device.index, "holds \(found) and not \(wanted)")
        }
    }
}
