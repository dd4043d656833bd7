import AsyncOperations
import RecordSync

/// Fetches a database's changes and sends the app's, in the order and with the retries that an app
/// needs. Mirrors Apple's `CKSyncEngine`.
///
/// Make one for each database early in the process, with the state that the last
/// ``Event/stateUpdate(_:)`` had, and keep it. The delegate is not kept alive; without it the engine
/// does nothing. Its methods are called one at a time. In them ``fetchChanges(_:)`` and
/// ``sendChanges(_:)`` of the same engine would never return, so they fail with `invalidArguments`,
/// also in a task that is started there; call them in `Task.detached`. Apple's engine traps.
///
/// An engine that works by itself is pushed other devices' changes by the service's courier, for which
/// it uses the database's subscription or makes one; while nothing can be pushed it looks once a minute.
public final class CKSyncEngine: Sendable {
    /// The database that is followed.
    public let database: CKDatabase
    /// What is to be sent, and what is known of the server.
    public let state: CKSyncEngine.State
    private let driver: SyncDriver
    private let observer: AccountObserver

    /// An engine that begins where the state in the configuration ends. Asks nothing of the server
    /// before it returns.
    public convenience init(_ configuration: CKSyncEngine.Configuration) {
        self.init(configuration, SyncClock(ContinuousClock()), seed: makeSeed())
    }

    /// An engine with a clock of its own, for tests.
    package convenience init(
        _ configuration: CKSyncEngine.Configuration, clock: some Clock<Duration>, seed: UInt64
    ) {
        self.init(configuration, SyncClock(clock), seed: seed)
    }

    private init(_ configuration: Configuration, _ clock: SyncClock, seed: UInt64) {
        database = configuration.database
        let machine = RecordSyncMachine(
            SyncSettings(isAutomatic: configuration.automaticallySync),
            state: configuration.stateSerialization?.state, seed: seed)
        let driver = SyncDriver(
            machine, configuration.delegate, clock,
            PushListener(configuration.subscriptionID, clock))
        self.driver = driver
        state = State(driver, database.databaseScope)
        observer = AccountObserver(database.place.accounts) { [weak driver] in driver?.noteNews() }
        driver.attach(self)
        if configuration.automaticallySync { driver.kick() }
    }

    deinit { driver.stop() }

    /// Fetches what other devices changed; returns when the delegate has handled all of it.
    ///
    /// A call with the same options as one that waits already waits with it.
    ///
    /// - Throws: ``CKError``: what a request failed with; `partialFailure` when single zones failed,
    ///   of which the delegate was told; `notAuthenticated` when no user is signed in;
    ///   `invalidArguments` in a call of the engine's delegate.
    public func fetchChanges(
        _ options: CKSyncEngine.FetchChangesOptions = FetchChangesOptions()
    ) async throws {
        try await driver.run(
            .fetch(options.model(in: database.databaseScope)), options.operationGroup)
    }

    /// Sends what is pending; returns when the delegate has handled the results.
    ///
    /// A failure that the engine retries ends the call; after any other it continues, and includes
    /// what the delegate adds in response.
    ///
    /// - Throws: ``CKError``: `partialFailure` when single items failed, of which the delegate was
    ///   told; `notAuthenticated` when no user is signed in; `invalidArguments` in a call of the
    ///   engine's delegate.
    public func sendChanges(
        _ options: CKSyncEngine.SendChangesOptions = SendChangesOptions()
    ) async throws {
        try await driver.run(
            .send(options.scope.model(in: database.databaseScope)), options.operationGroup)
    }

    /// Ends what goes on and what waits; what was sent already may still be carried out. What is
    /// pending stays.
    public func cancelOperations() async { driver.cancel() }

    /// Something changed on the server: what a push would tell.
    package func noteServerChange() { driver.noteNews() }
}
