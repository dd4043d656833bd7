import AsyncOperations

/// Waits for the pushes of one database, for an engine that works by itself.
///
/// Begins once it is known who is signed in, and anew when somebody else is. It uses the database's
/// subscription, or makes one.
final class PushListener: Sendable {
    /// What an engine is told.
    enum Word: Sendable {
        /// From now on pushes come, or they no longer do.
        case areComing(Bool)
        /// One came.
        case push
    }
    private struct Inside {
        var user: String?
        var task: Task<Void, Never>?
        /// Of the task: what an earlier one still has to say is not passed on.
        var generation: UInt64 = 0
        /// Whether the engine was told last that pushes come.
        var areComing = false
        var tell: @Sendable (Word) -> Void = { _ in }
        var isStopped = false

        /// Nobody listens from here on, and the engine knows.
        mutating func end() {
            task?.cancel()
            (user, task) = (nil, nil)
            generation += 1
            if areComing { say(.areComing(false)) }
        }

        mutating func say(_ word: Word) {
            if case .areComing(let areComing) = word { self.areComing = areComing }
            tell(word)
        }
    }
    private let inside = Locked(Inside())
    /// nil: any database subscription that is there, else one of the engine's own.
    private let subscriptionID: CKSubscription.ID?
    private let clock: SyncClock

    init(_ subscriptionID: CKSubscription.ID?, _ clock: SyncClock) {
        self.subscriptionID = subscriptionID
        self.clock = clock
    }

    /// Listens as somebody; goes on where it does so already.
    ///
    /// - Parameter tell: Called on no particular thread; must not come back here.
    func listen(
        as user: String, to database: CKDatabase, _ tell: @escaping @Sendable (Word) -> Void
    ) {
        guard database.place.hasCourier else { return }
        inside.withLock { inside in
            guard !inside.isStopped, inside.user != user else { return }
            inside.end()
            inside.user = user
            inside.tell = tell
            let generation = inside.generation
            let say: @Sendable (Word) -> Void = { [weak self] in self?.pass($0, of: generation) }
            inside.task = Task { [subscriptionID, clock] in
                await Self.run(subscriptionID, database, clock, say)
            }
        }
    }

    /// Passes a task's word on, under the lock: none comes after the task's end.
    private func pass(_ word: Word, of generation: UInt64) {
        inside.withLock { if $0.generation == generation { $0.say(word) } }
    }

    /// Listens no more until somebody is signed in again.
    func pause() { inside.withLock { $0.end() } }

    /// Listens no more, for good.
    func stop() {
        inside.withLock { inside in
            inside.isStopped = true
            inside.end()
        }
    }

    private static func run(
        _ subscriptionID: CKSubscription.ID?, _ database: CKDatabase, _ clock: SyncClock,
        _ tell: @Sendable (Word) -> Void
    ) async {
        var pushes = CloudKitPushes.Iterator(CKContainer(database.place), clock)
        var areComing = false
        var backOff = CourierBackOff()
        while !Task.isCancelled {
            do {
                try await subscribe(subscriptionID, database)
                // The device is known from here on: what happens later is pushed to it.
                try await pushes.connect()
                areComing = true
                tell(.areComing(true))
                while let push = try await pushes.next() {
                    backOff.reset()
                    if isAbout(database, push) { tell(.push) }
                }
            } catch {
                if areComing, !Task.isCancelled { tell(.areComing(false)) }
                areComing = false
                let error = error as? CKError
                // This service has no courier.
                if error?.code == .serverRejectedRequest { return }
                let asked = error?.retryAfterSeconds.map {
                    Duration.seconds(min(max($0, 0), 86_400))
                }
                do { try await clock.sleep(max(backOff.next(), asked ?? .zero)) } catch { return }
            }
        }
    }

    private static func subscribe(
        _ wanted: CKSubscription.ID?, _ database: CKDatabase
    ) async throws(CKError) {
        let known = try await database.subscriptions(nil).compactMap { $0.result.value }
        let isThere = known.contains { subscription in
            wanted.map { $0 == subscription.subscriptionID }
                ?? (subscription is CKDatabaseSubscription)
        }
        guard !isThere else { return }
        // The same on all devices: two that begin at once make one.
        let made = CKDatabaseSubscription(
            subscriptionID: wanted ?? "cksyncengine-\(database.databaseScope)")
        let silent = CKSubscription.NotificationInfo()
        silent.shouldSendContentAvailable = true
        made.notificationInfo = silent
        guard let saved = try await database.modify([made], []).saved.first else {
            throw CKDatabase.noAnswer
        }
        _ = try saved.result.get()
    }

    /// Whether a push may be about a database; parts of a long one are left out.
    private static func isAbout(_ database: CKDatabase, _ push: CloudKitPushes.Push) -> Bool {
        guard let payload = NotificationPayload(push.userInfo) else { return false }
        let isContainer =
            payload.containerIdentifier == nil
            || payload.containerIdentifier == database.place.identifier
        return isContainer && (payload.scope ?? database.databaseScope) == database.databaseScope
    }
}
