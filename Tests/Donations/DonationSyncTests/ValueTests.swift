import Basics
import CloudModel
import DonationSync
import Testing

/// The small values of the module.
@Suite struct ValueTests {
    private static let zone = DonationZone(bundleDigest: "00ff")

    @Test func `no write names another zone or deletes one`() {
        let elsewhere = RecordZone.ID("Content")
        let operations = [
            RecordOperation(
                .forceDelete, recordName: "a", zoneID: elsewhere,
                parent: Record.Reference("p", zoneID: elsewhere)),
            RecordOperation(.create, recordName: "b", recordType: "T"),
        ]
        let write = ExchangeCommand.modify(operations, atomic: true, in: Self.zone)
        guard case .modifyRecords(let request) = write.request else {
            Issue.record("\(write.request)")
            return
        }
        #expect(request.zoneID == Self.zone.zoneID)
        #expect(request.operations.allSatisfy { $0.zoneID == nil && $0.parent == nil })
        #expect(request.operations.map(\.recordName) == ["a", "b"])
        #expect(
            ExchangeCommand.createZone(Self.zone).request
                == .modifyZones([.create(Self.zone.zoneID)]))
    }

    @Test(arguments: [
        ("Donations-00ff", true), ("Donations-", false), ("Donations-XY", false),
        ("Donations-00FF", false), ("donations-00ff", false), ("Notes", false),
        ("Donations-" + String(repeating: "0", count: 65), false),
    ])
    func `a donation zone is known by its name`(name: String, isOne: Bool) {
        #expect(DonationZone.isDonationZone(RecordZone.ID(name)) == isOne)
    }

    @Test func `a zone's status is stored as one word`() {
        let all: [SyncZoneStatus] =
            [.unknown, .live, .unclear] + SyncGoneReason.allCases.map { .gone($0) }
        #expect(all.map { SyncZoneStatus(rawValue: $0.rawValue) } == all)
        #expect(Set(all.map(\.rawValue)).count == all.count)
        #expect(SyncZoneStatus(rawValue: "fenced") == nil)
    }

    @Test func `reports add up in any order`() {
        var one = SyncReport()
        one.requests = 1
        one.remove(2, .zoneGone)
        one.resurrect(stamp(5, "phone"), in: Self.zone.zoneID)
        var two = SyncReport()
        two.requests = 3
        two.remove(4, .zoneGone)
        two.remove(1, .fenced)
        two.resurrect(stamp(3, "tablet"), in: Self.zone.zoneID)
        var forward = one
        forward.add(two)
        var backward = two
        backward.add(one)
        #expect(forward == backward)
        #expect(forward.requests == 4)
        #expect(forward.removed == [.zoneGone: 6, .fenced: 1])
        let found = forward.resurrected[Self.zone.zoneID]
        #expect(found?.records == 2)
        #expect(found?.first == Timestamp(milliseconds: 3))
        #expect(found?.last == Timestamp(milliseconds: 5))
    }

    @Test func `a report names no more than sixteen devices`() {
        var report = SyncReport()
        for device in 1...100 { report.resurrect(stamp(1, "\(device)"), in: Self.zone.zoneID) }
        let found = report.resurrected[Self.zone.zoneID]
        #expect(found?.records == 100)
        #expect(found?.devices.count == 16)
    }

    @Test func `the same seed gives the same numbers, and a copy too`() {
        var one = SyncEntropy(SeededGenerator(seed: 3))
        var two = one
        #expect(one.bytes(13) == two.bytes(13))
        #expect(one.hexadecimal(5) == two.hexadecimal(5))
        #expect(one.bytes(13).count == 13)
        #expect((0..<1).contains(one.unit()))
    }

    private func stamp(_ at: Int64, _ device: String) -> Record.Stamp {
        Record.Stamp(
            timestamp: Timestamp(milliseconds: at), userRecordName: "_a", deviceID: device)
    }
}
