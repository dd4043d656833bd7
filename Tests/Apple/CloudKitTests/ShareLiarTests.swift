import AsyncOperations
import CloudKit
import CloudModel
import Foundation
import Testing

/// Services that lie about shares, and shares that cannot be: each is an error that says so.
@Suite(.timeLimit(.minutes(10)))
struct ShareLiarTests {
    /// What becomes of the share's record in the answer to its save.
    enum Lie: CaseIterable, Sendable {
        case anotherType, noAddress, left

        func tell(_ item: Record.Item) -> Record.Item {
            guard case .record(var record) = item,
                record.recordType == CKRecord.SystemType.share
            else { return item }
            switch self {
            case .anotherType:
                record = Record(
                    id: record.id, recordType: "Note", recordChangeTag: record.recordChangeTag,
                    fields: record.fields, created: record.created, modified: record.modified)
            case .noAddress: record.shortGUID = nil
            case .left: return .failure(recordName: record.id.recordName, CloudError(.notFound))
            }
            return .record(record)
        }
    }

    @Test(arguments: Lie.allCases)
    func `a share counts as saved when the service has made one, with an address`(
        lie: Lie
    ) async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        let note = world.note("a", zone)
        let share = CKShare(rootRecord: note)
        world.rewrite.withLock {
            $0 = { reply in
                guard case .records(var records) = reply else { return reply }
                records.records = records.records.map(lie.tell)
                return .records(records)
            }
        }
        let saved = try await world.ours.modifyRecords(
            saving: [note, share], deleting: [], atomically: false
        ).saveResults
        #expect(saved[note.recordID]?.isSuccess == true)
        #expect(saved[share.recordID]?.code == (lie == .left ? .unknownItem : .internalError))
    }

    @Test func `a root whose save fails takes its new share with it`() async throws {
        let world = try World()
        let zone = try await world.zone("Notes")
        try await world.ours.save(world.note("a", zone, title: "theirs"))
        let stale = world.note("a", zone, title: "mine")
        let share = CKShare(rootRecord: stale)
        for atomically in [true, false] {
            let saved = try await world.ours.modifyRecords(
                saving: [stale, share], deleting: [], atomically: atomically
            ).saveResults
            #expect(saved[stale.recordID]?.code == .serverRecordChanged)
            #expect(saved[share.recordID]?.isSuccess == false, "atomically: \(atomically)")
        }
        let kept = try await world.ours.record(for: stale.recordID)
        #expect(kept.share == nil && kept["title"] == "theirs")
    }

    @Test func `a zone that is not there cannot be shared`() async throws {
        let world = try World()
        let share = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "Nowhere"))
        #expect(await failure { try await world.ours.save(share) }?.code == .zoneNotFound)
        let root = world.note("a", CKRecordZone.ID(zoneName: "Nowhere"))
        let saved = try await world.ours.modifyRecords(
            saving: [root, CKShare(rootRecord: root)], deleting: []
        ).saveResults
        #expect(saved.values.map(\.code) == [.zoneNotFound, .zoneNotFound])
    }

    @Test func `a user who does not exist is nobody to share with`() async throws {
        let world = try World()
        let infos = [
            CKUserIdentity.LookupInfo(userRecordID: CKRecord.ID(recordName: "_nobody")),
            CKUserIdentity.LookupInfo(emailAddress: "no address"),
            CKUserIdentity.LookupInfo(phoneNumber: "none"),
        ]
        let operation = CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos)
        let codes = Locked<[CKError.Code?]>([])
        operation.perShareParticipantResultBlock = { _, result in
            codes.withLock { $0.append(result.code) }
        }
        await world.container.finish(operation)
        #expect(codes.withLock { $0 } == [.unknownItem, .invalidArguments, .invalidArguments])
    }

    @Test func `an address that leads nowhere, or elsewhere, is no invitation`() async throws {
        let world = try World()
        let addresses = [
            "https://www.icloud.com/share/0aaaaaaaaaaaaaaaaaaaaaaaa#Gone",
            "https://www.icloud.com/",
            "https://www.icloud.com/share/%2e%2e%2f",
        ]
        let urls = try addresses.map { try #require(URL(string: $0)) }
        let found = try await world.container.shareMetadatas(for: urls)
        #expect(found[urls[0]]?.code == .unknownItem)
        #expect(found[urls[1]]?.code == .invalidArguments)
        #expect(found[urls[2]]?.code == .invalidArguments)
    }
}
