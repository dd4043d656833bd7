package import CloudModel

/// Follows one database: a small value that decides, and asks its driver to act.
///
/// Everything that must survive lies in the storage. Both calls run inside one transaction of it
/// (see ``SyncStorage``); one request is open at a time.
package struct SyncMachine<Storage: SyncStorage>: Sendable {
    package let settings: SyncSettings
    /// What was counted since this value was made; the storage has the sum of all.
    package private(set) var report = SyncReport()
    private var entropy: SyncEntropy
    private var exchange: Exchange?

    /// A machine for a database.
    package init(_ settings: SyncSettings, entropy: SyncEntropy, digest: SyncDigest) {
        self.settings = settings
        self.entropy = entropy
        exchange = settings.donationZone.map {
            Exchange(zone: $0, digest: digest, rules: settings.rules)
        }
    }

    /// Begins a round, also after a wait, a crash or a lost driver: decides from the storage.
    package mutating func start(
        _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        .idle
    }

    /// Takes the answer to the request that was asked for last.
    package mutating func received(
        _ reply: Result<CloudReply, CloudError>, _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) -> SyncAction {
        .idle
    }

    /// The user signed out: deletes what is linked to the container, on this device only, and
    /// forgets everything about its databases.
    package mutating func signOut(
        _ storage: inout Storage, now: Timestamp
    ) throws(Storage.Failure) {}
}
