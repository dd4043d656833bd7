package import Basics
import CloudModel

/// The items of a request that a fault changes; all of them by default.
package struct ItemFilter: Sendable, Hashable {
    /// The name of an item's zone.
    package var zone: Glob?
    /// The name of a record or subscription.
    package var record: Glob?
    /// The change of the item.
    package var change: ItemChange?

    package init(zone: Glob? = nil, record: Glob? = nil, change: ItemChange? = nil) {
        (self.zone, self.record, self.change) = (zone, record, change)
    }

    /// Whether it has more than the name of a zone.
    var looksAtItems: Bool { record != nil || change != nil }

    func contains(_ item: CommandItem) -> Bool {
        if let zone, !(item.zoneID.map { zone.matches($0.zoneName) } ?? false) { return false }
        if let record, !record.matches(item.name) { return false }
        return change == nil || change == item.change
    }
}

/// The change that a request makes to an item.
package enum ItemChange: String, Sendable, CaseIterable {
    case create
    /// Or, where it is written by force, creates.
    case update
    case delete

    init(_ kind: RecordOperation.Kind) {
        self =
            switch kind {
            case .create: .create
            case .update, .forceUpdate, .replace, .forceReplace: .update
            case .delete, .forceDelete: .delete
            }
    }
}
