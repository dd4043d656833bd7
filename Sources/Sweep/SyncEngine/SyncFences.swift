import AsyncOperations
import CloudCourier
import CloudModel
import DonationStore
import DonationSync
import Journal
import OpenSSL

/// The fences of the journal, handed to a sync's storage before anything is asked or sent.
final class SyncFences: Sendable {
    /// As many fences as a journal can have at most.
    private static let fencesMax = 10_000_000

    private let journal: any Journal
    private let stateFolder: String
    /// What the journal said when a database was last given its fences, and about whom.
    private let known = Locked<[Database.Address: String]>([:])

    init(_ journal: any Journal, stateFolder: String) {
        self.journal = journal
        self.stateFolder = stateFolder
    }

    /// Gives a database's fences to the storage, those of its user and those of nobody known.
    ///
    /// - Returns: Whether any fence is new.
    func handIn(
        at address: Database.Address, to store: DonationStore
    ) async throws(SyncStop) -> Bool {
        // Before the first run there is no journal, and so no fence.
        guard SQLiteJournal.isThere(in: stateFolder) else { return false }
        let identity = try await identity(at: address, store)
        do throws(JournalError) {
            let mark = "\(try await journal.fenceMark()) \(identity ?? "")"
            guard known.withLock({ $0[address] != mark }) else { return false }
            let rows = try await journal.fences(limit: Self.fencesMax).filter {
                $0.address == address
            }
            let isNew = try await handIn(fences(rows, identity), at: address, to: store)
            known.withLock { $0[address] = mark }
            return isNew
        } catch {
            throw .journal(error)
        }
    }

    /// Gives the storage the fences around these zones, where the journal has forgotten which zones
    /// its fences stand around: they are found when somebody names them.
    ///
    /// - Returns: Whether any fence is new.
    func handIn(
        _ zones: [RecordZone.ID], at address: Database.Address, to store: DonationStore
    ) async throws(SyncStop) -> Bool {
        guard !zones.isEmpty, SQLiteJournal.isThere(in: stateFolder) else { return false }
        let identity = try await identity(at: address, store)
        do throws(JournalError) {
            let rows = try await journal.fences(around: zones, at: address)
            return try await handIn(fences(rows, identity), at: address, to: store)
        } catch {
            throw .journal(error)
        }
    }

    private func identity(
        at address: Database.Address, _ store: DonationStore
    ) async throws(SyncStop) -> String? {
        do throws(DonationError) {
            return try await store.syncState { sync throws(DonationError) in
                try sync.account(at: address).identity
            }
        } catch {
            throw .store(error)
        }
    }

    /// Those of the rows that are about the user, or about nobody known.
    private func fences(
        _ rows: [FenceRow], _ identity: String?
    ) async throws(JournalError) -> [SyncFence] {
        guard let address = rows.first?.address else { return [] }
        var user: String?
        if let identity, let key = try await journal.note(run: 0, key: "pseudonyms") {
            user = Pseudonyms(key: key).user(
                identity, in: address.container, address.environment)
        }
        return rows.filter { $0.user.isEmpty || user == nil || $0.user == user }.compactMap { row in
            row.zone.map {
                SyncFence(
                    address: address, zone: $0, run: row.run, since: row.at,
                    user: row.user.isEmpty || user == nil ? nil : identity)
            }
        }
    }

    private func handIn(
        _ fences: [SyncFence], at address: Database.Address, to store: DonationStore
    ) async throws(JournalError) -> Bool {
        guard !fences.isEmpty else { return false }
        do throws(DonationError) {
            return try await store.sync { sync throws(DonationError) in
                let before = try sync.fences(at: address).count
                try sync.setFences(fences)
                return try sync.fences(at: address).count != before
            }
        } catch {
            throw JournalError(.inputOutput, error.reason)
        }
    }
}

/// Why a database's round cannot go on.
enum SyncStop: Error, Sendable, Hashable {
    case store(DonationError)
    case journal(JournalError)
    /// Somebody asked for it.
    case asked
}
