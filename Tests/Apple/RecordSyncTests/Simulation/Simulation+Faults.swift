import Foundation
import RecordSync

extension Simulation {
    /// Whether a fault strikes now.
    func strikes(_ fault: Fault) -> Bool { !isQuiet && random.chance(plan[fault]) }

    /// What happens at the service, to accounts and to processes, between two steps.
    func disturb() throws {
        let zone = random.pick(Self.zones)
        if strikes(.zoneDeleted) { cloud.deleteZone(zone, "ann", isPurged: false) }
        if strikes(.zonePurged) { cloud.deleteZone(zone, "ann", isPurged: true) }
        if strikes(.compaction) { cloud.compact(zone, "ann") }
        if strikes(.zoneTokenExpired) { cloud.expire(zone, "ann") }
        if strikes(.databaseTokenExpired) { cloud.compactDatabase("ann") }
        let device = random.pick(devices)
        if plan.isAutomatic, random.chance(0.05) {
            device.machine.notePushes(areComing: random.chance(0.7))
        }
        if strikes(.signOut) { signIn(device, nil) }
        if strikes(.switchAccounts) { signIn(device, random.pick(["ann", "bob"])) }
        if strikes(.cancel) {
            log("\(device.number) cancels")
            device.machine.cancel()
        }
        if strikes(.crash) { crash(device) }
        if strikes(.rollBack) { rollBack(device) }
        if !late.isEmpty, random.chance(0.1) { try arriveLate() }
    }

    func signIn(_ device: SimDevice, _ user: String?) {
        log("\(device.number) is \(user ?? "nobody")'s")
        device.user = user
        device.machine.noteNews()
    }

    /// The process ends; the app has its data, and the state of any event so far.
    private func crash(_ device: SimDevice) {
        guard let backup = device.backups.isEmpty ? nil : random.pick(device.backups),
            backup.session == device.session
        else { return }
        log("\(device.number) crashes, with an older state")
        restart(device, backup.state)
    }

    /// The device is restored: data and state of one moment.
    private func rollBack(_ device: SimDevice) {
        guard !device.backups.isEmpty else { return }
        let index = random.below(device.backups.count)
        let backup = device.backups[index]
        log("\(device.number) is rolled back")
        // The states since are newer than its data.
        device.backups.removeSubrange((index + 1)...)
        device.app = backup.app
        device.session = backup.session
        restart(device, backup.state)
    }

    private func restart(_ device: SimDevice, _ text: String) {
        let state = try? JSONDecoder().decode(SyncState.self, from: Data(text.utf8))
        device.machine = machine(state)
        device.effect = .rest(until: nil)
        (device.isManual, device.isSending) = (false, false)
        device.purging = []
        (device.fetchNotBefore, device.sendNotBefore) = (.zero, .zero)
        let pending = device.machine.state.records
        device.app.owed = device.app.owed.filter { pending.contains($0) }
        // What the app knows to be unsent is added again, as the engine's users are told to do.
        device.apply(device.app.everythingEdited())
    }

    /// The app was told a state: it has to have all that the app was not told the end of.
    func keep(_ state: SyncState, _ device: SimDevice) throws {
        let text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
        let kept = try JSONDecoder().decode(SyncState.self, from: Data(text.utf8))
        for change in device.owedInState
        where !kept.records.contains(change) && !device.purging.contains(change.id.zoneID) {
            throw Breach("state", "\(change) is not in the state")
        }
        device.backups.append(
            SimDevice.Backup(state: text, app: device.app, session: device.session))
        if device.backups.count > 8 { device.backups.remove(at: random.below(8)) }
    }

    /// Requests that were believed lost are carried out; nobody hears of it.
    func arriveLate() throws {
        for (_, effect, values, user) in late {
            switch effect {
            case .sendZones(let changes): _ = carryOut(changes, user)
            case .sendRecords(let part):
                _ = carryOut(part, values, tags: [:], user, isLate: true)
            default: break
            }
        }
        late = []
    }
}
