import AsyncOperations
import CloudKit
import CloudKitMock
import Foundation
import Testing

/// A note that Ann shares with Bob: what apps do with shares, as values over the wire's form and, in
/// its whole length, over TLS.
@Suite(.timeLimit(.minutes(10)))
struct SharedNoteTests {
    /// Ann's note with a page below it, shared with Bob.
    struct Shared {
        let ann: CKContainer
        let bob: CKContainer
        let note: CKRecord
        let share: CKShare
        var url: URL { get throws { try #require(share.url) } }

        var theirs: CKDatabase { bob.sharedCloudDatabase }

        init(
            _ cloud: MockCloud, _ permission: CKShare.ParticipantPermission = .readWrite
        ) async throws {
            ann = try await cloud.container(as: "ann")
            bob = try await cloud.container(as: "bob")
            let zone = try await ann.privateCloudDatabase.save(CKRecordZone(zoneName: "Notes"))
            let root = CKRecord(
                recordType: "Note",
                recordID: CKRecord.ID(recordName: "note", zoneID: zone.zoneID))
            root["title"] = "Packing list"
            let new = CKShare(rootRecord: root)
            new[CKShare.SystemFieldKey.title] = "Packing"
            let friend = try await ann.shareParticipant(forEmailAddress: "bob@example.com")
            friend.permission = permission
            new.addParticipant(friend)
            let saved = try await ann.privateCloudDatabase.modifyRecords(
                saving: [new, root], deleting: [])
            note = try #require(saved.saveResults[root.recordID]).get()
            share = try #require(saved.saveResults[new.recordID]?.get() as? CKShare)
        }

        /// Bob's way in.
        func accepted() async throws -> CKShare {
            try await bob.accept(try await bob.shareMetadata(for: url))
        }

        /// A record below the note, of whoever adds it.
        func page(_ name: String, in zone: CKRecordZone.ID) -> CKRecord {
            let id = CKRecord.ID(recordName: name, zoneID: zone)
            let page = CKRecord(recordType: "Page", recordID: id)
            page.setParent(CKRecord.ID(recordName: "note", zoneID: zone))
            return page
        }
    }

    static func code(_ body: () async throws -> Void) async -> CKError.Code? {
        await failure(body)?.code
    }

    @Test(arguments: [MockDepth.wire, .socket])
    func `a note is shared, accepted, written to, left, and no longer shared`(
        depth: MockDepth
    ) async throws {
        try await withMockCloud(seed: 11, depth: depth) { cloud in
            let shared = try await Shared(cloud)
            let (ann, theirs) = (shared.ann.privateCloudDatabase, shared.theirs)
            #expect(shared.note.share?.recordID == shared.share.recordID)
            #expect(shared.share.owner.role == .owner)
            #expect(shared.share.currentUserParticipant == shared.share.owner)
            let url = try shared.url
            #expect(url.absoluteString.hasPrefix("https://www.icloud.com/share/"))
            #expect(url.fragment == "Packing")

            let metadata = try await shared.bob.shareMetadata(for: url)
            #expect(metadata.participantStatus == .pending)
            #expect(metadata.participantRole == .privateUser)
            #expect(metadata.participantPermission == .readWrite)
            #expect(metadata.hierarchicalRootRecordID?.recordName == "note")
            #expect(metadata.rootRecord == nil)
            #expect(metadata.ownerIdentity.nameComponents?.givenName == "Ann")
            let theirShare = try await shared.bob.accept(metadata)
            #expect(theirShare.currentUserParticipant?.acceptanceStatus == .accepted)
            try await shared.bob.accept(metadata)

            let zone = try #require(try await theirs.allRecordZones().first?.zoneID)
            #expect(zone.ownerName != CKCurrentUserDefaultName)
            #expect(theirShare.recordID.zoneID == zone)
            try await theirs.save(shared.page("page", in: zone))
            let home = shared.note.recordID.zoneID
            let written = try await ann.record(
                for: CKRecord.ID(recordName: "page", zoneID: home))
            #expect(written.parent?.recordID == shared.note.recordID)

            try await theirs.deleteRecord(withID: theirShare.recordID)
            #expect(try await theirs.allRecordZones().isEmpty)
            let left = try #require(
                try await ann.record(for: shared.share.recordID) as? CKShare)
            #expect(left.participants.map(\.role) == [.owner])

            try await ann.deleteRecord(withID: left.recordID)
            let kept = try await ann.record(for: shared.note.recordID)
            #expect(kept.share == nil && kept["title"] == "Packing list")
            #expect(
                await Self.code { _ = try await shared.bob.shareMetadata(for: url) } == .unknownItem
            )
        }
    }

    @Test func `somebody taken off the list no longer has the note`() async throws {
        try await withMockCloud(seed: 12, depth: .wire) { cloud in
            let shared = try await Shared(cloud)
            _ = try await shared.accepted()
            let ann = shared.ann.privateCloudDatabase
            let share = try #require(
                try await ann.record(for: shared.share.recordID) as? CKShare)
            let bob = try #require(share.participants.first { $0.role == .privateUser })
            #expect(bob.acceptanceStatus == .accepted)
            bob.permission = .readOnly
            let narrowed = try #require(try await ann.save(share) as? CKShare)
            #expect(narrowed.participants.map(\.permission) == [.readWrite, .readOnly])
            let zone = try #require(try await shared.theirs.allRecordZones().first?.zoneID)
            let page = shared.page("page", in: zone)
            #expect(
                await Self.code { try await shared.theirs.save(page) } == .permissionFailure)
            narrowed.removeParticipant(bob)
            try await ann.save(narrowed)
            #expect(try await shared.theirs.allRecordZones().isEmpty)
        }
    }

    @Test func `row 94, a new share without its root is refused, and nothing is sent`()
        async throws
    {
        let world = try World()
        let zone = try await world.zone("Notes")
        let root = try await world.ours.save(world.note("root", zone))
        let share = CKShare(rootRecord: root)
        #expect(root.share?.recordID == share.recordID)
        let before = world.requests
        #expect(await Self.code { try await world.ours.save(share) } == .invalidArguments)
        #expect(world.requests == before)
        let record = CKRecord(recordType: "Note")
        let open = world.container.publicCloudDatabase
        let results = try await open.modifyRecords(
            saving: [record, CKShare(rootRecord: record)], deleting: [])
        #expect(results.saveResults.values.compactMap(\.code) == [.badDatabase])
    }

    @Test func `rows 28 and 95, a share is saved alone later, and never over another's version`()
        async throws
    {
        try await withMockCloud(seed: 13, depth: .wire) { cloud in
            let shared = try await Shared(cloud)
            let ann = shared.ann.privateCloudDatabase
            let stale = try #require(shared.share.copy() as? CKShare)
            shared.share[CKShare.SystemFieldKey.title] = "Renamed"
            let saved = try #require(try await ann.save(shared.share) as? CKShare)
            #expect(saved.url?.fragment == "Renamed")
            #expect(saved.participants.count == 2)
            stale[CKShare.SystemFieldKey.title] = "Old"
            let results = try await ann.modifyRecords(
                saving: [stale], deleting: [], savePolicy: .allKeys)
            let error = results.saveResults.values.first
            #expect(error?.code == .serverRecordChanged)
        }
    }

    @Test func `rows 96 and 100, a participant adds below the root, and cannot delete it`()
        async throws
    {
        try await withMockCloud(seed: 14, depth: .wire) { cloud in
            let shared = try await Shared(cloud)
            _ = try await shared.accepted()
            let zone = try #require(try await shared.theirs.allRecordZones().first?.zoneID)
            let orphan = CKRecord(recordType: "Page", zoneID: zone)
            #expect(
                await Self.code { try await shared.theirs.save(orphan) } == .permissionFailure)
            let root = CKRecord.ID(recordName: "note", zoneID: zone)
            #expect(
                await Self.code { try await shared.theirs.deleteRecord(withID: root) }
                    == .permissionFailure)
        }
    }

    @Test func `rows 98 and 101, the records outlive the share, and the share not its root`()
        async throws
    {
        try await withMockCloud(seed: 15, depth: .wire) { cloud in
            let shared = try await Shared(cloud)
            let ann = shared.ann.privateCloudDatabase
            try await ann.deleteRecord(withID: shared.share.recordID)
            let note = try await ann.record(for: shared.note.recordID)
            #expect(note.share == nil)
            let again = CKShare(rootRecord: note)
            let saved = try await ann.modifyRecords(saving: [note, again], deleting: [])
            let share = try #require(saved.saveResults[again.recordID]?.get() as? CKShare)
            #expect(share.url?.path == shared.share.url?.path)
            try await ann.deleteRecord(withID: note.recordID)
            #expect(
                await Self.code { _ = try await ann.record(for: share.recordID) } == .unknownItem)
        }
    }

    @Test func `row 102, what is shared already is not shared again`() async throws {
        try await withMockCloud(seed: 16, depth: .wire) { cloud in
            let shared = try await Shared(cloud)
            let ann = shared.ann.privateCloudDatabase
            let page = shared.page("page", in: shared.note.recordID.zoneID)
            let nested = CKShare(rootRecord: page)
            let results = try await ann.modifyRecords(
                saving: [page, nested], deleting: [], atomically: false)
            #expect(results.saveResults[nested.recordID]?.code == .alreadyShared)
            let second = CKShare(rootRecord: shared.note, shareID: shared.share.recordID)
            let conflict = try await ann.modifyRecords(
                saving: [shared.note, second], deleting: [], atomically: false)
            #expect(conflict.saveResults[second.recordID]?.code == .serverRecordChanged)
            let whole = CKShare(recordZoneID: shared.note.recordID.zoneID)
            #expect(await Self.code { try await ann.save(whole) } == .invalidArguments)
        }
    }

    @Test func `row 103, a share has at most a hundred participants beside its owner`()
        async throws
    {
        let world = try World()
        let zone = try await world.zone("Notes")
        let note = world.note("a", zone)
        let share = CKShare(rootRecord: note)
        let emails = (0...100).map { "friend\($0)@example.org" }
        let friends = try await world.container.shareParticipants(forEmailAddresses: emails)
        for friend in friends.values {
            let friend = try friend.get()
            #expect(!friend.userIdentity.hasiCloudAccount)
            share.addParticipant(friend)
        }
        let before = world.requests
        let results = try await world.ours.modifyRecords(
            saving: [note, share], deleting: [], atomically: true)
        #expect(results.saveResults[share.recordID]?.code == .tooManyParticipants)
        #expect(results.saveResults[note.recordID]?.code == .batchRequestFailed)
        #expect(world.requests == before)
    }

    @Test func `row 104, a share that becomes public drops who has not accepted`() async throws {
        try await withMockCloud(seed: 17, depth: .wire) { cloud in
            let shared = try await Shared(cloud)
            let ann = shared.ann.privateCloudDatabase
            shared.share.publicPermission = .readOnly
            let open = try #require(try await ann.save(shared.share) as? CKShare)
            #expect(open.participants.map(\.role) == [.owner])
            let joined = try await shared.accepted()
            #expect(joined.currentUserParticipant?.role == .publicUser)
            let stranger = try await shared.ann.shareParticipant(
                forEmailAddress: "eve@example.org")
            open.addParticipant(stranger)
            #expect(await Self.code { try await ann.save(open) } == .invalidArguments)
        }
    }

    @Test func `a share keeps what was made of it in an archive`() async throws {
        try await withMockCloud(seed: 18, depth: .wire) { cloud in
            let shared = try await Shared(cloud)
            let friend = try await shared.ann.shareParticipant(forPhoneNumber: "+15550001")
            shared.share.addParticipant(friend)
            let bytes = try NSKeyedArchiver.archivedData(
                withRootObject: shared.share, requiringSecureCoding: true)
            let read = try #require(
                try NSKeyedUnarchiver.unarchivedObject(ofClass: CKShare.self, from: bytes))
            #expect(read.url == shared.share.url)
            #expect(read.participants.map(\.role) == shared.share.participants.map(\.role))
            let saved = try #require(
                try await shared.ann.privateCloudDatabase.save(read) as? CKShare)
            #expect(saved.participants.last?.userIdentity.lookupInfo?.phoneNumber == "+15550001")
            #expect(saved.participants.last?.acceptanceStatus == .pending)
        }
    }
}
