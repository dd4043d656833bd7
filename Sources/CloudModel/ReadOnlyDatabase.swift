/// A database with its modifying half taken away: what `plan` and `verify` are given.
package struct ReadOnlyDatabase: CloudDatabaseReading {
    private let base: any CloudDatabaseReading

    package init(_ base: any CloudDatabaseReading) { self.base = base }

    package var address: Database.Address { base.address }

    /// Asks the other database.
    package func read(_ request: CloudRead) async throws(CloudError) -> CloudReply {
        try await base.read(request)
    }
}
