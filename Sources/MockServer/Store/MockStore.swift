package import CloudModel
private import SQLite

/// Everything the mock service knows, and all of its rules. Owned by one thread.
///
/// ``apply(_:at:by:)`` works inside an open transaction; ``commit()`` ends it, so that one wait
/// for the disk covers all the commands of a turn. An answer may be sent only after the commit.
package final class MockStore {
    /// Where a store is kept.
    package enum Location: Sendable, Hashable {
        case memory
        /// In `store.sqlite` in a folder, which is made when missing.
        case directory(String)
    }

    /// Switches and limits; may be changed between commands.
    package var options: MockOptions

    package init(
        location: Location, options: MockOptions = MockOptions(), clock: WallClock, seed: UInt64
    ) throws(MockStoreError) {
        self.options = options
        preconditionFailure("not yet")
    }

    /// Carries out one command.
    ///
    /// A failed command leaves no trace; what others did in the same turn stays.
    package func apply(
        _ command: CloudCommand, at address: Database.Address, by caller: Caller
    ) throws(CloudError) -> CloudReply { preconditionFailure("not yet") }

    /// Makes everything since the last commit lasting. When it throws, all of it is undone.
    package func commit() throws(MockStoreError) { preconditionFailure("not yet") }

    /// Removes some of what deleted zones held, and other work for idle times.
    ///
    /// - Returns: Whether there is more to do.
    package func purgeSome() throws(MockStoreError) -> Bool { preconditionFailure("not yet") }

    /// Makes an account, or changes the names of one that is there.
    package func addUser(_ user: MockUser) throws(MockStoreError) {
        preconditionFailure("not yet")
    }
    /// Every account, by name.
    package var users: [MockUser] { preconditionFailure("not yet") }
    /// The user record name of an account in a container: the same for the same seed.
    package func userRecordName(
        of user: String, in container: Container.ID, _ environment: Container.Environment
    ) -> String { preconditionFailure("not yet") }

    /// Makes a container, where they are not made by being asked for.
    package func addContainer(_ container: Container.ID) throws(MockStoreError) {
        preconditionFailure("not yet")
    }
    /// Every container, by identifier.
    package var containers: [Container.ID] { preconditionFailure("not yet") }
    /// Gives a container a schema, in both environments; nil takes it away.
    package func setSchema(
        _ schema: Schema?, of container: Container.ID
    ) throws(MockStoreError) { preconditionFailure("not yet") }

    /// The token of a query's zone, for requests that ask for it beside the result.
    package func currentSyncToken(
        of zoneID: RecordZone.ID?, at address: Database.Address, by caller: Caller
    ) throws(CloudError) -> ChangeToken? { preconditionFailure("not yet") }

    /// Counts of every database that has been used.
    package func summary() throws(MockStoreError) -> [DatabaseSummary] {
        preconditionFailure("not yet")
    }
    /// All that a user has, as text that is equal when the data are; nil: the public databases.
    package func dump(user: String?) throws(MockStoreError) -> String {
        preconditionFailure("not yet")
    }
    /// Empties what fits `scope`. Users, containers and schemas stay.
    package func reset(_ scope: ResetScope = ResetScope()) throws(MockStoreError) {
        preconditionFailure("not yet")
    }

    /// Puts many zones into a user's private database without the cost of commands.
    ///
    /// - Parameters:
    ///   - records: Gives the records of each zone, asked zone by zone.
    package func seed(
        zones: some Sequence<String>, at address: Database.Address, user: String,
        records: (String) -> [SeedRecord] = { _ in [] }
    ) throws(MockStoreError) { preconditionFailure("not yet") }

    /// The user erases a zone in the settings of a device: gone, with another reason than a
    /// deletion by the app.
    ///
    /// - Returns: Whether there was such a zone.
    package func purgeZone(
        _ name: String, at address: Database.Address, user: String
    ) throws(MockStoreError) -> Bool { preconditionFailure("not yet") }

    /// Forgets what was deleted: tokens from before it expire.
    package func compactTombstones() throws(MockStoreError) { preconditionFailure("not yet") }
}
