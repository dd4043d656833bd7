package import CloudModel
package import DonationStore
import DonationSync
package import Journal
import OpenSSL

// What the user does about a sync, without asking the service anything.
extension DonationSyncer {
    /// The user signed out of a container: what is linked to it goes on this device only, and all
    /// that was known of its databases is forgotten.
    ///
    /// - Returns: How many donations went.
    package func signOut(of container: Container.ID) async throws(DonationError) -> Int {
        let address = Database.Address(
            container: container, environment: request.environment, scope: .private)
        let (settings, now) = (settings(for: address), world.wallClock.now)
        return try await world.donations.sync { sync throws(DonationError) in
            var machine = SyncMachine<StoreSync>(
                settings, entropy: SyncEntropy(SecureGenerator()), digest: .hmac)
            try machine.signOut(&sync, now: now)
            return Int(machine.report.removed.values.reduce(0, +))
        }
    }

    /// Lifts the fences around a zone: data may be there again.
    ///
    /// - Returns: Whether there was one.
    package func unfence(
        _ zone: RecordZone.ID, at address: Database.Address
    ) async throws(SyncActFailure) -> Bool {
        let wasInJournal: Bool
        do throws(JournalError) {
            wasInJournal = try await journal().unfence(zone, at: address)
        } catch {
            throw .journal(error)
        }
        do throws(DonationError) {
            let lifted = try await world.donations.sync { sync throws(DonationError) in
                try sync.unfence(zone, at: address)
            }
            return wasInJournal || lifted > 0
        } catch {
            throw .donations(error)
        }
    }

    /// Every fence of these containers, those that a sync was not told of yet included.
    package func fences() async throws(SyncActFailure) -> [FenceRow] {
        guard SQLiteJournal.isThere(in: world.stateFolder) else { return [] }
        do throws(JournalError) {
            return try await journal().fences(limit: 1_000_000).filter { fence in
                fence.environment == request.environment
                    && request.containers.contains(fence.container)
            }
        } catch {
            throw .journal(error)
        }
    }

    /// Switches the exchange of donations on or off. Switched on, a donation zone that was lost may
    /// be created again.
    package func setExchange(
        _ isOn: Bool, includesItems: Bool
    ) async throws(DonationError) {
        let zone = Self.zone(of: request.application).zoneID
        let address = request.addresses.first { request.hasDonationZone($0) }
        try await world.donations.sync { sync throws(DonationError) in
            try Exchange.setOn(isOn, includesItems: includesItems, &sync)
            guard isOn, let address else { return }
            if let old = try sync.zone(zone, at: address), case .gone = old.status {
                var fresh = SyncZone(zone)
                fresh.fencedBy = old.fencedBy
                try sync.setZone(fresh, at: address)
            }
            var database = try sync.database(at: address)
            database.isExchangeDirty = true
            try sync.setDatabase(database, at: address)
        }
    }

    /// What is known without asking anybody.
    package func status() async throws(DonationError) -> SyncStatus {
        let addresses = request.addresses
        let zonesMax = SyncStatus.zonesMax
        return try await world.donations.syncState { sync throws(DonationError) in
            var status = SyncStatus()
            for address in addresses {
                var zones: [SyncZoneStatus: Int] = [:]
                for zone in try sync.zones(at: address, limit: zonesMax) {
                    zones[zone.status, default: 0] += 1
                }
                status.databases.append(
                    SyncStatus.DatabaseStatus(
                        address: address, database: try sync.database(at: address),
                        isUserKnown: try sync.account(at: address).identity != nil,
                        isSuspended: try sync.account(at: address).isSuspended, zones: zones,
                        fences: try sync.fences(at: address).count,
                        report: try sync.report(at: address)))
            }
            let facts = try sync.exchange()
            status.isExchangeOn = facts.isOn
            status.includesItems = facts.includesItems
            status.hasJoined = facts.incarnation != nil
            status.devices = facts.devices.count
            status.round = facts.round
            let most = SyncStatus.pendingMax
            status.pendingDeletions = try sync.ownDeletions(limit: most).count
            status.pendingDeletes = try sync.pendingDeletes(limit: most).count
            if facts.isOn {
                status.pendingRows = try sync.rowsToUpload(
                    after: nil, includingItems: facts.includesItems, limit: most
                ).count
            }
            status.rescues = try sync.rescues(limit: SyncStatus.rescuesMax)
            return status
        }
    }

    private func journal() -> any Journal {
        SQLiteJournal(
            folder: world.stateFolder, isAlive: world.isAlive)
    }
}

/// Why an act about a sync came to nothing.
package enum SyncActFailure: Error, Sendable, Hashable {
    case donations(DonationError)
    case journal(JournalError)
}
