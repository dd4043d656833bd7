import Basics
import CloudCourier
import CloudModel
import DonationStore
import DonationSync
import OpenSSL

/// Follows one database for one round: does what its machine says, one request at a time.
///
/// Each answer goes to the machine inside one transaction of the store. A crash at any point leaves
/// what the last transaction stored; the next round begins from there.
struct DatabaseFollower: Sendable {
    let address: Database.Address
    let request: SyncRequest
    let world: SyncWorld
    let fences: SyncFences
    let content: any CloudDatabaseReading
    /// nil: this database has no donation zone.
    let writer: ExchangeWriter?
    private let courier: Courier
    let count: @Sendable (Database.Address, SyncReport) -> Void
    private var machine: SyncMachine<StoreSync>
    /// Whether each step waits for the disk: what others are told of must be there first. Without
    /// the exchange nobody is told of anything, and a page that is lost is read again.
    private var waits = true
    private var hasChanged = false
    private var failures = 0
    private var throttles = 0

    init(
        _ address: Database.Address, _ request: SyncRequest, in world: SyncWorld,
        fences: SyncFences, content: any CloudDatabaseReading, writer: ExchangeWriter?,
        settings: SyncSettings, digest: SyncDigest, courier: Courier,
        count: @escaping @Sendable (Database.Address, SyncReport) -> Void
    ) {
        self.address = address
        self.request = request
        self.world = world
        self.fences = fences
        self.content = content
        self.writer = writer
        self.courier = courier
        self.count = count
        machine = SyncMachine(
            settings, entropy: SyncEntropy(SecureGenerator()), digest: digest)
    }

    /// One round.
    mutating func follow() async -> SyncedDatabase {
        world.tell(.databaseBegan(address))
        let ending: SyncedDatabase.Ending
        do throws(SyncStop) {
            ending = try await round()
        } catch {
            ending =
                switch error {
                case .store(let error): .failed(error)
                case .journal(let error): .withoutFences(error.reason)
                case .asked: .stopped
                }
        }
        let synced = SyncedDatabase(address: address, ending: ending, report: machine.report)
        world.tell(.databaseEnded(synced))
        return synced
    }

    private mutating func round() async throws(SyncStop) -> SyncedDatabase.Ending {
        var action = try await begin()
        while true {
            if world.stop.reason != nil { return .stopped }
            switch action {
            case .read(let command): action = try await read(command)
            case .write(let command): action = try await write(command)
            case .again: action = try await start()
            case .wait(let until, let why):
                guard try await wait(until, why) else { return .waiting(why, until: until) }
                action = try await begin()
            case .idle:
                if !waits, hasChanged { try await waitForDisk() }
                return .idle
            case .halted(let reason): return .halted(reason)
            }
        }
    }

    // MARK: What the machine asks for

    /// Begins a round under the fences that stand now.
    private mutating func begin() async throws(SyncStop) -> SyncAction {
        _ = try await fences.handIn(at: address, to: world.donations)
        if writer != nil {
            _ = try await fences.handIn(
                [DonationSyncer.donationZone(of: request.application)], at: address,
                to: world.donations)
        }
        do throws(DonationError) {
            waits = try await world.donations.syncState { sync throws(DonationError) in
                let facts = try sync.exchange()
                return facts.isOn || facts.incarnation != nil
            }
        } catch {
            throw .store(error)
        }
        return try await start()
    }

    private func waitForDisk() async throws(SyncStop) {
        do throws(DonationError) {
            try await world.donations.waitForDisk()
        } catch {
            throw .store(error)
        }
    }

    private mutating func read(_ command: CloudRead) async throws(SyncStop) -> SyncAction {
        let reply: Result<CloudReply, Courier.Failure>
        do throws(Courier.Failure) {
            reply = .success(try await courier.lookOnce(command, from: content))
        } catch {
            reply = .failure(error)
        }
        // Before anything in it is taken: a zone that is named may be one that was erased.
        var isNew = false
        if case .success(let reply) = reply {
            isNew = try await fences.handIn(
                Self.zones(in: reply), at: address, to: world.donations)
        }
        let action = try await received { (_) async throws(Courier.Failure) in
            try reply.get()
        }
        // Now that the user is known, so are their fences.
        if command == .caller {
            isNew = try await fences.handIn(at: address, to: world.donations) || isNew
        }
        return isNew ? try await start() : action
    }

    /// The zones that an answer says are there.
    private static func zones(in reply: CloudReply) -> [RecordZone.ID] {
        switch reply {
        case .zonePage(let page): zones(among: page.zones)
        case .zones(let items): zones(among: items)
        case .zoneChanges(let items):
            items.compactMap { if case .page(let page) = $0 { page.zoneID } else { nil } }
        case .recordPage, .recordPages, .records, .shares, .subscriptions, .assetUploads, .assets,
            .user, .users, .pushToken, .done:
            []
        }
    }

    private static func zones(among items: [RecordZone.Item]) -> [RecordZone.ID] {
        items.compactMap { if case .zone(let zone) = $0 { zone.id } else { nil } }
    }

    private mutating func write(_ command: ExchangeCommand) async throws(SyncStop) -> SyncAction {
        guard let writer else {
            preconditionFailure("a database without a donation zone was to be changed")
        }
        // A sweep may have begun since: nothing is sent into a zone that it erases.
        if try await fences.handIn(at: address, to: world.donations) { return try await start() }
        return try await received { (follower) async throws(Courier.Failure) in
            try await writer.send(command, by: follower.courier)
        }
    }

    /// Waits until a moment, when that is soon enough.
    private mutating func wait(_ until: Timestamp, _ why: SyncWait) async throws(SyncStop) -> Bool {
        if why == .throttled { throttles += 1 } else { failures += 1 }
        let wait = max(.milliseconds(1), until.since(world.wallClock.now))
        world.tell(.waiting(address, why, until: until, wait: wait))
        guard wait <= request.limits.waitMax, failures < request.limits.failuresMax,
            throttles < request.limits.throttlesMax
        else { return false }
        do throws(Courier.Failure) {
            try await courier.pause(wait)
        } catch {
            throw .asked
        }
        return true
    }

    // MARK: The machine, inside a transaction

    private mutating func start() async throws(SyncStop) -> SyncAction {
        try await step { (machine, sync, now) throws(DonationError) in
            try machine.start(&sync, now: now)
        }
    }

    /// Sends something once and hands the answer to the machine, which says when to send again.
    private mutating func received(
        _ send: (DatabaseFollower) async throws(Courier.Failure) -> CloudReply
    ) async throws(SyncStop) -> SyncAction {
        let reply: Result<CloudReply, CloudError>
        do throws(Courier.Failure) {
            reply = .success(try await send(self))
            failures = 0
            throttles = 0
        } catch {
            switch error {
            case .refused(let error): reply = .failure(error)
            case .stopped, .otherPerson: throw .asked
            }
        }
        return try await step { (machine, sync, now) throws(DonationError) in
            try machine.received(reply, &sync, now: now)
        }
    }

    private typealias Call =
        @Sendable (inout SyncMachine<StoreSync>, inout StoreSync, Timestamp) throws(DonationError)
        -> SyncAction

    /// Calls the machine in a transaction; when that fails, its copy from before stays.
    private mutating func step(_ call: @escaping Call) async throws(SyncStop) -> SyncAction {
        let (before, now) = (machine, world.wallClock.now)
        let action: SyncAction
        do throws(DonationError) {
            (machine, action) = try await world.donations.sync(waits: waits) {
                sync throws(DonationError) in
                var machine = before
                let action = try call(&machine, &sync, now)
                return (machine, action)
            }
        } catch {
            throw .store(error)
        }
        let report = machine.report
        hasChanged =
            report.recordsSeen + report.deletionsSeen > 0 || !report.removed.isEmpty
            || !report.zonesGone.isEmpty
        count(address, machine.report)
        return action
    }
}
