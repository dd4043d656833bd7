import Basics
import CloudModel
import DonationSync
import Donations

/// Places and rows that the cases use.
enum Sample {
    static func address(
        _ container: String = "iCloud.one", _ scope: Database.Scope = .private,
        _ environment: Container.Environment = .development
    ) -> Database.Address {
        guard let id = Container.ID(container) else { preconditionFailure("not an ID") }
        return Database.Address(container: id, environment: environment, scope: scope)
    }

    static let here = address()
    static let zone = RecordZone.ID("Z")
    static let now = Timestamp(milliseconds: 1_000)

    static func link(_ record: String?, zone: String = "Z") -> ContentLink {
        ContentLink(here.container, .private, zone: RecordZone.ID(zone), record: record)
    }

    static func row(
        _ identifier: String, link: ContentLink? = nil, record: String? = nil,
        _ change: (inout SyncedRow) -> Void = { _ in }
    ) -> SyncedRow {
        row(.interaction, identifier, link: link, record: record, change)
    }

    static func row(
        _ kind: DonationKind, _ identifier: String, link: ContentLink? = nil,
        record: String? = nil, _ change: (inout SyncedRow) -> Void = { _ in }
    ) -> SyncedRow {
        var donation = Donation(kind, identifier: identifier, type: "T", at: now)
        donation.link = link
        if kind == .activity || kind == .savedActivity {
            // Activities have no identifier of their own.
            donation.identifier = ""
            donation.title = identifier
            donation.savedKey = "k:\(identifier)"
        }
        var row = SyncedRow(donation, recordName: record, tag: record.map { _ in "t" })
        change(&row)
        return row
    }
}

extension SyncStorage {
    /// The rows' names in the order of the storage.
    func contents() throws -> [String] {
        try rows(after: nil, limit: 1000).map(\.name).sorted()
    }
}

extension SyncedRow {
    var name: String { donation.identifier.isEmpty ? donation.title ?? "" : donation.identifier }
}
