import RecordSync

// What the app does on being told.
extension Simulation {
    func tell(_ notice: SyncNotice, _ device: SimDevice) throws {
        switch notice {
        case .state(let state): try keep(state, device)
        case .account:
            device.app.changedAccount()
            device.session += 1
            let pending = device.machine.state.records
            guard pending.isEmpty || !device.hadUser else {
                throw Breach("account", "what one account left pending is kept for another")
            }
            device.app.owed = device.app.owed.filter { pending.contains($0) }
        case .databaseChanges: try tellZones(device)
        case .zoneGone(let zone):
            // It may have been created anew since the answer.
            device.app.owed = device.app.owed.filter {
                $0.id.zoneID != zone || !device.purging.contains(zone)
            }
            device.purging = []
            device.apply(device.app.zoneIsGone(zone))
        case .zoneChanges(let zone, let types):
            guard types.count == device.page.deleted.count else {
                throw Breach("types", "\(types.count) types of \(device.page.deleted.count)")
            }
            for (name, stored) in device.page.changed {
                device.app.fetched(name, in: zone, stored)
            }
            for name in device.page.deleted {
                device.apply(device.app.fetchedDeletion(name, in: zone))
            }
        case .recordsGone(let zone, let gone):
            for entry in gone { device.apply(device.app.fetchedDeletion(entry.name, in: zone)) }
        case .sentZones: break
        case .sentRecords(let part): tellSent(part, device)
        case .willFetch, .didFetch, .willFetchZone, .didFetchZone, .willSend, .didSend: break
        }
    }

    private func tellZones(_ device: SimDevice) throws {
        guard let page = device.databasePage else { return }
        for zone in page.changed where device.app.zones[zone.zoneName] == nil {
            device.app.zones[zone.zoneName] = [:]
        }
        for deletion in page.deleted {
            let zone = deletion.zone
            if deletion.isPurged {
                guard
                    !device.machine.state.records.changes.contains(where: { $0.id.zoneID == zone })
                else { throw Breach("purge", "what the user erased is still to be sent") }
                device.app.owed = device.app.owed.filter { $0.id.zoneID != zone }
            }
            device.apply(device.app.zoneIsGone(zone))
        }
        device.purging = []
    }

    private func tellSent(_ part: BatchPart, _ device: SimDevice) {
        for (index, change) in part.changes.enumerated() {
            let (result, stored, failure) = device.results[index]
            if case .failed(let kind) = result, kind.isRetried { continue }
            if !device.machine.state.records.contains(change) { device.app.owed.remove(change) }
            switch result {
            case .saved:
                if let stored, let value = device.batch[part.positions[index]] {
                    device.app.saved(change.id, value, stored)
                }
            case .deleted: device.app.deleted(change.id)
            case .failed: device.apply(device.app.failed(change, failure))
            }
        }
    }
}

extension SyncEffect {
    /// For a trace.
    var words: String {
        switch self {
        case .tell(.state): "is told a state"
        case .tell(let notice): "is told \(notice)"
        default: "\(self)"
        }
    }
}
