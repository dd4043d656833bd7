import Basics
import CloudModel
import DonationSync
import Donations

/// What the exchange keeps.
extension StorageContract {
    func checkFacts<Storage: SyncStorage>(_ storage: inout Storage) throws {
        try same(try storage.exchange(), ExchangeFacts(), "no facts")
        var facts = ExchangeFacts()
        facts.isOn = true
        facts.includesItems = true
        facts.device = "dev"
        facts.origin = "origin"
        facts.sequence = 4
        facts.round = 5
        facts.incarnation = "nonce"
        facts.zoneKey = [0, 1, 255]
        facts.context = ["a": 1, "b": 2]
        facts.base = ["a": 1]
        facts.confirmed = ["b": 2]
        facts.isRegistered = true
        facts.zoneTag = "t"
        facts.token = ChangeToken("dG9rZW4=")
        facts.generation = 6
        facts.isScanning = false
        facts.devices = [
            SyncDevice(name: "other", context: ["a": 1], round: 2, tag: "t", seenAt: Sample.now)
        ]
        facts.serverTime = Sample.now
        facts.checkedGeneration = 3
        try storage.setExchange(facts)
        try same(try storage.exchange(), facts, "the facts")
    }

    func checkOwnDeletions<Storage: SyncStorage>(_ storage: inout Storage) throws {
        let selectors: [DonationSelector] = [
            .interactionGroup("g"), .searchableDomains(["a.b"], indexName: nil), .everything,
        ]
        let deletions = selectors.enumerated().map { number, selector in
            OwnDeletion(sequence: Int64(number + 1), selector: selector, at: Sample.now)
        }
        for deletion in deletions { try storage.addOwnDeletion(deletion) }
        try same(try storage.ownDeletions(limit: 9), deletions, "own deletions")
        try same(try storage.ownDeletions(limit: 1), [deletions[0]], "the first one")
        try storage.removeOwnDeletion(2)
        try same(
            try storage.ownDeletions(limit: 9), [deletions[0], deletions[2]], "what is left")
        try storage.removeOwnDeletions()
        try same(try storage.ownDeletions(limit: 9), [], "nothing")
        var digests = ExchangeSelector(.appEntities, keys: ["a", "b"], indexKey: "i")
        digests.from = 1
        digests.until = 2
        let erased = OwnDeletion(sequence: 7, words: .digests(digests), at: Sample.now)
        try storage.addOwnDeletion(erased)
        try same(try storage.ownDeletions(limit: 9), [erased], "digests")
        try storage.removeAllDeletions()
        try same(try storage.ownDeletions(limit: 9), [], "none")
    }

    func checkDeletions<Storage: SyncStorage>(_ storage: inout Storage) throws {
        func deletion(_ device: String, _ sequence: Int64, _ keys: [String]) -> SyncDeletion {
            var deletion = SyncDeletion(
                device: device, sequence: sequence, kind: "kind", keys: keys, at: Sample.now)
            deletion.indexKey = device == "a" ? "index" : nil
            deletion.from = 3
            deletion.until = 4
            deletion.generation = sequence
            return deletion
        }
        let all = [deletion("a", 2, []), deletion("a", 10, ["x"]), deletion("b", 1, ["x", "y"])]
        for deletion in all.reversed() { try storage.putDeletion(deletion) }
        try same(try storage.deletions(), all, "deletions by device and number")
        let other = deletion("b", 1, ["z"])
        try storage.putDeletion(other)
        try same(try storage.deletions(), [all[0], all[1], other], "a deletion put again")
        try storage.removeDeletion(of: "a", sequence: 2)
        try storage.removeDeletion(of: "a", sequence: 3)
        try same(try storage.deletions(), [all[1], other], "what is left")
        try storage.removeAllDeletions()
        try same(try storage.deletions(), [], "none")
    }

    /// Records wait by the service's clock, and are asked for by the device's.
    private func checkReleases<Storage: SyncStorage>(_ storage: inout Storage) throws {
        func after(_ seconds: Int) -> Timestamp { Sample.now.advanced(by: .seconds(seconds)) }
        try storage.putGone([GoneRecord("d-5", tag: "t", isToDelete: false)])
        try same(try storage.releaseMoment(), after(60), "when to ask")
        try storage.releaseGone(at: after(59), now: nil)
        try same(try storage.gone("d-2")?.isToDelete, false, "before its time")
        try same(try storage.releaseMoment(), after(60), "an old time moves nothing")
        try storage.releaseGone(at: after(50), now: after(1000))
        try same(try storage.releaseMoment(), after(1010), "when to ask next")
        try storage.releaseGone(at: after(60), now: after(1010))
        try same(try storage.gone("d-2")?.isToDelete, true, "at its time")
        try same(try storage.gone("d-5")?.isToDelete, false, "what waits for no time")
        try same(try storage.releaseMoment(), nil, "nothing waits")
    }

    func checkGoneRecords<Storage: SyncStorage>(_ storage: inout Storage) throws {
        let records = [
            GoneRecord("d-3", tag: "t", isToDelete: true),
            GoneRecord("d-1", tag: nil, isToDelete: true),
            GoneRecord(
                "d-2", tag: "t", isToDelete: false, donatedAt: Sample.now,
                deletesFrom: Sample.now.advanced(by: .seconds(60))),
            GoneRecord("d-0", tag: "u", isToDelete: true),
        ]
        try storage.putGone(records)
        for record in records {
            try same(try storage.gone(record.recordName), record, "a gone record")
        }
        try same(try storage.gone("d-9"), nil, "an unknown record")
        try same(
            try storage.pendingDeletes(limit: 9), [records[3], records[0]], "pending deletes")
        try same(try storage.pendingDeletes(limit: 1), [records[3]], "one pending delete")
        let known = GoneRecord("d-1", tag: "v", isToDelete: true)
        try storage.putGone([known])
        try same(try storage.gone("d-1"), known, "a gone record put again")
        try storage.putGone([GoneRecord("d-4", tag: nil, isToDelete: false)])
        try storage.removeGoneWithoutTag()
        try same(try storage.gone("d-4"), nil, "a record without tag")
        try storage.removeGone(["d-0", "d-9"])
        try same(try storage.pendingDeletes(limit: 9), [known, records[0]], "what is left")
        try checkReleases(&storage)
        try same(try storage.removeAllGone(), 3, "those to be deleted")
        try same(try storage.gone("d-2"), nil, "all are forgotten")
    }
}
