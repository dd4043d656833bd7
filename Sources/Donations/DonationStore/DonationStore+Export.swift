public import Donations

extension DonationStore {
    /// Everything held for the user, as canonical JSON (F59): the same donations give the same
    /// bytes. What came from another device and waits for its item is not in it (R15): it could not
    /// be donated again, and the device it came from has it.
    ///
    /// An object with `version`, `application`, `donations` and `lists`; one row a line.
    public func export() async throws(DonationError) -> [UInt8] {
        var bytes: [UInt8] = []
        try await export { bytes += $0 }
        return bytes
    }

    /// Writes the export piece by piece, so that it need not fit into memory.
    ///
    /// - Returns: How many rows of each kind were written; kinds without a row are left out.
    @discardableResult
    public func export(
        into write: ([UInt8]) -> Void
    ) async throws(DonationError) -> [DonationKind: Int] {
        var counts: [DonationKind: Int] = [:]
        var writer = ExportWriter()
        writer.head(application: configuration.bundleIdentifier)
        for kind in Self.exportOrder {
            var after: Int64 = 0
            while true {
                let rows = try await list(kind, after: after, limit: Self.exportPage)
                for row in rows { writer.line(row) }
                if !rows.isEmpty { counts[kind, default: 0] += rows.count }
                write(writer.take())
                guard let last = rows.last, rows.count == Self.exportPage else { break }
                after = last.row
            }
        }
        writer.lists()
        for kind in DonationKind.lists {
            let entries = try await entries(kind)
            for entry in entries { writer.line(entry, kind: kind) }
            if !entries.isEmpty { counts[kind] = entries.count }
        }
        writer.tail()
        write(writer.take())
        return counts
    }

    private static let exportPage = 1000
    /// Items first: what is related to one is only stored after it.
    private static let exportOrder: [DonationKind] = [
        .searchableItem, .interaction, .activity, .savedActivity, .appIntent,
    ]
}
