package import Basics
import CloudModel

/// Which of the items that a request names a fault is about; all of them, unless something is given.
package struct ItemFilter: Sendable, Hashable {
    /// The name of an item's zone.
    package var zone: Glob?
    /// The name of a record or subscription.
    package var record: Glob?
    /// What is done to the item.
    package var change: ItemChange?

    package init(zone: Glob? = nil, record: Glob? = nil, change: ItemChange? = nil) {
        (self.zone, self.record, self.change) = (zone, record, change)
    }

    /// Whether it leaves out items that a zone alone would not.
    var looksAtItems: Bool { record != nil || change != nil }

    func contains(_ item: CommandItem) -> Bool {
        if let zone, !(item.zoneID.map { zone.matches($0.zoneName) } ?? false) { return false }
        if let record, !record.matches(item.name) { return false }
        return change == nil || change == item.change
    }
}

/// What a request does to an item.
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
