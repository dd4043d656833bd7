import AsyncOperations
import Basics
package import CloudCourier
package import CloudModel
import DonationStore
import DonationSync
import Journal
import OpenSSL

/// Keeps an app's local donations in step with its databases: one task for each database, a round
/// at a time.
///
/// The databases of content can only be read here; the one that can be written to takes nothing but
/// requests to the app's donation zone. No method throws: whatever happens is a ``SyncOutcome``.
package struct DonationSyncer: Sendable {
    let request: SyncRequest
    let world: SyncWorld
    private let watch: Stopwatch
    private let counted = Locked<[Database.Address: SyncReport]>([:])

    package init(_ request: SyncRequest, in world: SyncWorld) {
        self.request = request
        self.world = world
        watch = Stopwatch(world.clock)
    }

    /// The zone in which an app's donations are exchanged.
    package static func donationZone(of application: String) -> RecordZone.ID {
        zone(of: application).zoneID
    }

    /// What the machine of a database is told.
    func settings(for address: Database.Address) -> SyncSettings {
        var settings = SyncSettings(
            address: address,
            donationZone: request.hasDonationZone(address)
                ? Self.zone(of: request.application) : nil)
        settings.keepsDonationsOnReset = request.keepsDonationsOnReset
        return settings
    }

    static func zone(of application: String) -> DonationZone {
        DonationZone(
            bundleDigest: Hexadecimal.encode(
                Array(SHA256.hash(Array(application.utf8)).prefix(16))))
    }

    /// Syncs once, or round after round.
    ///
    /// - Parameters:
    ///   - content: Every database, to look at only.
    ///   - exchange: The way to the donation zone; asked only for the database that has it.
    package func run(
        content: @escaping ReadableDatabases, exchange: @escaping ExchangeWriters
    ) async -> SyncOutcome {
        let journal = SQLiteJournal(
            folder: world.stateFolder, isAlive: world.isAlive)
        let run = "sync \(Hexadecimal.encode(SecureRandom.bytes(8)))"
        do throws(JournalError) {
            let holder = LockHolder(run: run, process: world.process, since: world.wallClock.now)
            try await journal.write([.lock(keys: lockKeys, holder)], run: 0)
        } catch {
            return SyncOutcome(
                status: error.code == .locked ? .locked : .internalError,
                explanation: error.reason, databases: [], report: SyncReport(), rounds: 0)
        }
        let outcome = await rounds(journal, content, exchange)
        // A lock that stays is taken over once this process is gone.
        try? await journal.write([.unlockAll(of: run)], run: 0)
        await journal.close()
        return outcome
    }

    /// One sync of an app's donations at a time.
    private var lockKeys: [String] {
        ["sync\n\(request.environment.rawValue)\n\(world.donations.configuration.directory)"]
    }

    // MARK: Rounds

    private func rounds(
        _ journal: any Journal, _ content: @escaping ReadableDatabases,
        _ exchange: @escaping ExchangeWriters
    ) async -> SyncOutcome {
        let fences = SyncFences(journal, stateFolder: world.stateFolder)
        let courier = makeCourier()
        var all = SyncReport()
        var number = 0
        while true {
            number += 1
            world.tell(.roundBegan(number: number))
            let databases = await round(fences, courier, content, exchange)
            for database in databases { all.add(database.report) }
            world.tell(.roundEnded(number: number))
            let (status, explanation) = SyncOutcome.status(
                databases, all, stop: world.stop.reason)
            let outcome = SyncOutcome(
                status: status, explanation: explanation, databases: databases, report: all,
                rounds: number)
            guard case .watch(let every) = request.mode, Self.mayGoOn(databases) else {
                return outcome
            }
            do throws(Courier.Failure) {
                try await courier.pause(every)
            } catch {
                let (status, explanation) = SyncOutcome.status(
                    databases, all, stop: world.stop.reason)
                return SyncOutcome(
                    status: status, explanation: explanation, databases: databases, report: all,
                    rounds: number)
            }
        }
    }

    /// Whether another round can be better than this one.
    private static func mayGoOn(_ databases: [SyncedDatabase]) -> Bool {
        databases.contains { database in
            switch database.ending {
            case .idle, .waiting: true
            case .halted(let halt): halt == .restricted || halt == .quotaExceeded
            case .stopped, .failed, .withoutFences: false
            }
        } && !databases.contains { $0.ending == .stopped }
    }

    private func round(
        _ fences: SyncFences, _ courier: Courier, _ content: @escaping ReadableDatabases,
        _ exchange: @escaping ExchangeWriters
    ) async -> [SyncedDatabase] {
        counted.withLock { $0 = [:] }
        let addresses = request.addresses
        return await withTaskGroup(of: (Int, SyncedDatabase).self) { group in
            for (index, address) in addresses.enumerated() {
                let hasZone = request.hasDonationZone(address)
                let follower = DatabaseFollower(
                    address, request, in: world, fences: fences, content: content(address),
                    writer: hasZone ? exchange(address) : nil, settings: settings(for: address),
                    digest: .hmac, courier: courier,
                    count: count)
                group.addTask {
                    var follower = follower
                    return (index, await follower.follow())
                }
            }
            var databases: [(Int, SyncedDatabase)] = []
            for await database in group { databases.append(database) }
            return databases.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// What sends everything: one request at a time to a database. When to send again is for the
    /// machines to say, which keep their waits over restarts.
    private func makeCourier() -> Courier {
        var limits = Courier.Limits()
        limits.parallelism = max(1, request.addresses.count)
        limits.perDatabase = 1
        limits.maxDuration = request.limits.maxDuration
        var chance = SecureGenerator()
        return Courier(limits, clock: world.clock, seed: chance.next(), stop: world.stop)
    }

    private func count(_ address: Database.Address, _ report: SyncReport) {
        let sum = counted.withLock { counted in
            counted[address] = report
            return counted.values.reduce(into: SyncReport()) { $0.add($1) }
        }
        world.tell(.progress(sum))
        if let most = request.limits.maxDuration, watch.elapsed >= most {
            world.stop.request(.outOfTime)
        }
    }
}
