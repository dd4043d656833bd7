import CloudModel
import Foundation
import RecordSync

/// Devices, a service and what goes wrong between them, one effect at a time.
///
/// At each step: what the app was not told the end of is still pending. When faults are over: all
/// devices have what the service has, and nothing is left to send.
final class Simulation {
    var plan: SimPlan
    var random: SimRandom
    var cloud = SimCloud()
    var devices: [SimDevice] = []
    var now = Duration.zero
    var isQuiet = false
    private(set) var steps = 0
    private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    private var lines: [String] = []
    private let linesMax: Int
    private var nextValue = 0
    /// Requests that were lost on the way, and arrive later.
    var late: [(SimDevice, SyncEffect, [Int?], String)] = []

    static let zones = ["inbox", "trips", "work"]

    init(_ plan: SimPlan, linesMax: Int = 0) {
        self.plan = plan
        self.linesMax = linesMax
        random = plan.random
        for number in 0..<plan.devices {
            devices.append(SimDevice(number, machine(nil)))
        }
    }

    func machine(_ state: SyncState?) -> RecordSyncMachine {
        let settings = SyncSettings(
            isAutomatic: plan.isAutomatic, stateInterval: .milliseconds(random.pick([0, 100, 100])))
        return RecordSyncMachine(settings, state: state, seed: random.next())
    }

    var trace: String { lines.joined(separator: "\n") }

    func log(_ text: @autoclosure () -> String) {
        guard linesMax > 0 else { return }
        lines.append("\(steps) \(text())")
        if lines.count > linesMax { lines.removeFirst() }
    }

    private func mix(_ number: Int) {
        digest = (digest ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01b3
    }

    // MARK: The run

    func run() throws {
        while steps < plan.steps {
            steps += 1
            let device = random.pick(devices)
            mix(device.number)
            if random.chance(plan.editRate) { edit(device) } else { try advance(device) }
            try disturb()
            for device in devices { try check(device) }
        }
        try settle()
    }

    private func edit(_ device: SimDevice) {
        guard mayEdit(device) else { return }
        let zone = plan.bulk > 1 ? "z\(random.below(230))" : random.pick(Self.zones)
        // Before the app knows that the user erased the zone, nobody edits there.
        guard !device.purging.contains(RecordZone.ID(zone)) else { return }
        for _ in 0..<plan.bulk {
            let name = "r\(random.below(plan.bulk > 1 ? plan.bulk * 2 : 8))"
            if random.chance(0.3) {
                log("\(device.number) deletes \(name) in \(zone)")
                device.apply(device.app.delete(name, in: zone))
            } else {
                nextValue += 1
                log("\(device.number) sets \(name) in \(zone) to \(nextValue)")
                device.apply(device.app.edit(name, in: zone, value: nextValue))
            }
        }
        if plan.bulk > 1 {
            let more = (0..<230).map { "z\($0)" }
            device.apply(more.map { .saveZone($0) })
            for name in more where device.app.zones[name] == nil { device.app.zones[name] = [:] }
        }
    }

    /// Nobody edits without an account, nor before the app knows of another.
    private func mayEdit(_ device: SimDevice) -> Bool {
        if case .tell(.account) = device.effect { return false }
        return device.account != nil
    }

    /// Lets a device do its next effect; one at rest wakes, or is told to.
    private func advance(_ device: SimDevice) throws {
        if case .rest(let moment) = device.effect {
            now += .milliseconds(random.below(400))
            if let moment, moment > now, random.chance(0.5) { now = moment }
            if random.chance(plan.isAutomatic ? 0.2 : 0.7) { ask(device) }
            device.effect = device.machine.wake(now: now)
            return
        }
        try perform(device)
    }

    private func ask(_ device: SimDevice) {
        device.isManual = true
        let zones = random.chance(0.2) ? [RecordZone.ID(random.pick(Self.zones))] : nil
        let scope = zones.map { SyncScope.zones($0) } ?? .all
        _ = device.machine.ask(
            for: random.chance(0.5) ? .fetch(FetchOptions(scope: scope)) : .send(scope))
    }

    // MARK: What must hold

    private func check(_ device: SimDevice) throws {
        let state = device.machine.state
        // About to be told that it belonged to another account.
        if case .tell(.account) = device.effect { return }
        for change in device.app.owed
        where !device.purging.contains(change.id.zoneID) && !state.records.contains(change)
            && !state.recordsInFlight.contains(change)
        {
            throw Breach("lost", "\(change) is neither pending nor in flight")
        }
    }

    /// Ends all faults, and lets the devices meet.
    private func settle() throws {
        log("settles")
        isQuiet = true
        try arriveLate()
        for device in devices where device.user != "ann" { signIn(device, "ann") }
        var rounds = 0
        repeat {
            rounds += 1
            guard rounds < 40 else {
                throw Breach("convergence", "the devices do not come to rest: \(differences)")
            }
            for device in devices {
                if mayEdit(device), device.purging.isEmpty {
                    device.apply(device.app.everythingEdited())
                }
                for job in [SyncJob.fetch(FetchOptions()), .send(.all)] {
                    device.isManual = true
                    _ = device.machine.ask(for: job)
                }
                try drain(device)
            }
        } while !differences.isEmpty
    }

    private func drain(_ device: SimDevice) throws {
        for _ in 0..<20_000 {
            if case .rest(let moment) = device.effect {
                device.effect = device.machine.wake(now: now)
                guard case .rest = device.effect else { continue }
                // What failed for a reason of the past is waited for; polls are not.
                guard let moment, moment - now < .seconds(40), device.machine.state.hasPending
                else { return }
                now = moment
                continue
            }
            try perform(device)
            try check(device)
        }
        throw Breach("rest", "device \(device.number) does not come to rest")
    }

    /// What is not the same everywhere.
    private var differences: String {
        let zones = cloud.accounts["ann"]?.zones ?? [:]
        for device in devices {
            let here = device.app.zones
            if device.machine.state.hasPending { return "\(device.number) has changes to send" }
            guard Set(here.keys) == Set(zones.keys) else {
                return
                    "\(device.number) has zones \(here.keys.sorted()), not \(zones.keys.sorted())"
            }
            for (name, zone) in zones {
                let values = here[name, default: [:]].mapValues(\.value)
                let theirs = zone.records.mapValues(\.value)
                guard values == theirs else {
                    return "\(device.number) has \(values) in \(name), not \(theirs)"
                }
                let known = device.machine.state.zones[RecordZone.ID(name)]?.known.count ?? 0
                guard known == theirs.count else {
                    return "\(device.number) knows \(known) in \(name), not \(theirs.count)"
                }
            }
        }
        return ""
    }
}
