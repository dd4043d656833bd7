package import Donations

/// Names a stored row for good: its kind and the storage's number.
package struct RowID: Sendable, Hashable, Comparable {
    package let kind: DonationKind
    package let row: Int64

    /// A row of a kind.
    package init(_ kind: DonationKind, _ row: Int64) {
        self.kind = kind
        self.row = row
    }

    /// By kind in the order of ``DonationKind/donations``, then by number.
    package static func < (left: RowID, right: RowID) -> Bool {
        left.kind == right.kind ? left.row < right.row : left.order < right.order
    }
    private var order: Int { DonationKind.donations.firstIndex(of: kind) ?? .max }
}

/// A row and its record in the donation zone.
package struct SyncedRow: Sendable, Hashable {
    package var donation: Donation
    /// The record's name; nil: it has none yet.
    package var recordName: String?
    /// The record's change tag; nil: the record was not sent, or no answer came yet.
    package var tag: String?
    /// How often the row was changed here since it was as in the record.
    package var edits: Int64 = 0
    /// Whether it cannot be uploaded as it is, and was reported (R11).
    package var isRefused = false
    /// What its maker had seen of deletions that this device has not seen yet; empty nearly always.
    package var context: DeletionContext = [:]
    /// The device that made it; nil: this one.
    package var device: String?
    /// Whether it waits, out of sight, for the item it is strongly related to (R15).
    package var isParked = false
    /// The scan of the donation zone that last delivered it.
    package var generation: Int64 = 0

    /// The row's name; what is not stored yet has row 0.
    package var id: RowID { RowID(donation.kind, donation.row) }

    /// Whether the zone has not got the row as it is here.
    package var isToUpload: Bool { (tag == nil || edits > 0) && !isRefused }

    /// A row that may have a record.
    package init(
        _ donation: Donation, recordName: String? = nil, tag: String? = nil,
        device: String? = nil, isParked: Bool = false, generation: Int64 = 0
    ) {
        self.donation = donation
        self.recordName = recordName
        self.tag = tag
        self.device = device
        self.isParked = isParked
        self.generation = generation
    }
}
