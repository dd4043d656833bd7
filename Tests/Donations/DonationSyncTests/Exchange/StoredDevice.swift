import Basics
import CloudModel
import DonationStore
import DonationSync
import Donations
import InProcessMock
import SyncStorageContract

/// A device of a person whose app runs on a real donation store, in a world of ``ExchangeWorld``.
final class StoredDevice {
    let world: ExchangeWorld
    let store: DonationStore
    private let settings: SyncSettings
    private let seed: UInt64
    private var lives: UInt64 = 0

    /// A device.
    ///
    /// - Parameters:
    ///   - ahead: How far its clock is before the service's.
    ///   - folder: Where its store is; empty: in memory.
    init(
        _ world: ExchangeWorld, seed: UInt64, ahead: Duration = .zero, isOn: Bool = true,
        folder: String = ""
    ) async throws {
        self.world = world
        self.seed = seed
        settings = SyncSettings(
            address: ExchangeWorld.address, donationZone: ExchangeWorld.zone)
        let time = world.time
        let clock = WallClock {
            Timestamp(milliseconds: time.withLock { $0 }).advanced(by: ahead)
        }
        store = try DonationStore(
            configuration: DonationConfiguration(
                bundleIdentifier: "com.example.contacts", directory: folder, clock: clock))
        if isOn { try await switchExchange(true) }
    }

    /// Switches the exchange on, items included, or off.
    func switchExchange(_ isOn: Bool) async throws {
        try await store.sync { sync throws(DonationError) in
            try Exchange.setOn(isOn, includesItems: true, &sync)
        }
    }

    /// Runs code of the app.
    func run<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await DonationStore.withStore(store, body)
    }

    /// Runs rounds until the device is at rest.
    func sync(rounds: Int = 1) async throws {
        for _ in 0..<rounds { try await round() }
    }

    private func round() async throws {
        lives += 1
        let entropy = SyncEntropy(SeededGenerator(seed: seed &* 1000 &+ lives))
        var machine = SyncMachine<StoreSync>(settings, entropy: entropy, digest: .hmac)
        var action: SyncAction?
        var reply: Result<CloudReply, CloudError>?
        for _ in 0..<2000 {
            let (now, before, answer) = (store.configuration.moment, machine, reply)
            let next: SyncAction
            (machine, next) = try await store.sync { sync throws(DonationError) in
                var machine = before
                let action =
                    if let answer {
                        try machine.received(answer, &sync, now: now)
                    } else {
                        try machine.start(&sync, now: now)
                    }
                return (machine, action)
            }
            action = next
            switch next {
            case .read(let request): reply = world.perform(.read(request))
            case .write(let write): reply = world.perform(.write(write.request))
            case .again: reply = nil
            case .wait, .idle, .halted:
                guard next == .idle else { throw NotAtRest(action: next) }
                return
            }
        }
        throw NotAtRest(action: action)
    }

    struct NotAtRest: Error { let action: SyncAction? }

    /// What is stored: kind and name, sorted.
    func rows() async throws -> [String] {
        try await store.syncState { sync throws(DonationError) in
            try sync.rows(after: nil, limit: .max).map { row in
                let name = row.donation.identifier
                return "\(row.donation.kind.rawValue) "
                    + (name.isEmpty ? row.donation.persistentIdentifier ?? "-" : name)
            }
        }.sorted()
    }
}

extension ExchangeWorld {
    /// How many records of donations the zone has.
    var donationCount: Int {
        records.values.count {
            ["Donation", "SavedActivity", "SearchItem"].contains($0.recordType)
        }
    }
}
