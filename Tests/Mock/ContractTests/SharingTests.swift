import CloudModel
import MockStore
import Testing

/// Share records of whole zones and of hierarchies: how they are made, accepted and ended.
@Suite struct SharingTests {
    private static let all = Depth.allCases

    // MARK: - Making one

    @Test(arguments: all)
    func `A-105 a whole zone is shared by a record of a fixed name, without a root`(
        depth: Depth
    ) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        let share = try await scene.share(with: ["bob": .readWrite])
        #expect(share.recordType == Share.recordType)
        #expect(share.id.recordName == "cloudkit.zoneshare")
        let people = try #require(share.sharing)
        #expect(people.owner?.identity.userRecordName == scene.zone.ownerRecordName)
        #expect(people.currentUser == people.owner)
        #expect(people.participants.map(\.role) == [.owner, .user])
        #expect(people.participants.map(\.acceptance) == [.accepted, .accepted])
        #expect(try await scene.bob.list().zones.map(\.id) == [scene.zone])
        #expect(try await scene.bob.names(in: scene.zone) == ["a"])
        let seen = try await scene.bob.record(Share.zoneWideName, in: scene.zone)
        #expect(seen.sharing?.currentUser?.role == .user)
        #expect(try await scene.cyn.list().zones.isEmpty)
    }

    @Test(arguments: all)
    func `A-94 a new share says what it lacks`(depth: Depth) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        func refusal(_ change: Share.Change, _ name: String = "s") async throws -> CloudError? {
            try await scene.ada.saveShare(name, change, in: scene.own).error
        }
        let bare = try await refusal(Share.Change())
        #expect(bare?.code == .badRequest && bare?.reason.contains("forRecord") == true)
        let untagged = try await refusal(Share.Change(root: .init("a")))
        #expect(untagged?.code == .badRequest)
        #expect(untagged?.reason.contains("recordChangeTag") == true)
        #expect(
            try await refusal(Share.Change(root: .init("a", recordChangeTag: "stale")))?.code
                == .conflict)
        #expect(
            try await refusal(Share.Change(root: .init("b", recordChangeTag: "1")))?.code
                == .notFound)
        let rooted = try await refusal(
            Share.Change(root: try await scene.root("a")), Share.zoneWideName)
        #expect(rooted?.code == .badRequest)
        var misspelled = RecordOperation.share(
            "s", Share.Change(root: try await scene.root("a")))
        misspelled.recordType = "cloudKit.share"
        let odd = try await scene.ada.one(misspelled, in: scene.own).error
        #expect(odd?.code == .badRequest && odd?.reason.contains("cloudkit.share") == true)
        misspelled.recordType = "Note"
        #expect(try await scene.ada.one(misspelled, in: scene.own).code == .badRequest)
        #expect(try await scene.ada.drain(zone: "Trip").items.map(\.recordName) == ["a"])
    }

    @Test(arguments: all)
    func `A-15 the default zone and public records cannot be shared`(depth: Depth) async throws {
        let scene = try await SharingScene(depth)
        let zone = RecordZone.ID.default
        for asker in [scene.ada, scene.world.everybody] {
            let record = try #require(await asker.one(.make(.create, "a"), in: zone).record)
            let change = Share.Change(
                root: .init("a", recordChangeTag: record.recordChangeTag))
            for item in [
                try await asker.saveShare("s", change, in: zone),
                try await asker.saveShare(Share.zoneWideName, Share.Change(), in: zone),
            ] {
                #expect(item.code == .badRequest)
            }
        }
    }

    @Test(arguments: all, [true, false])
    func `A-95 a share is made with its new root, and saved alone later`(
        depth: Depth, atomic: Bool
    ) async throws {
        let scene = try await SharingScene(depth)
        let made = try await scene.ada.modify(
            [
                .make(.create, "a"), .share("s", Share.Change(root: .init("a"))),
            ], in: scene.own, atomic: atomic)
        let root = try #require(made.records[0].record)
        let share = try #require(made.records[1].record)
        #expect(root.share?.recordName == "s")
        // The root's tag in the answer is the one that is good for its next save.
        let again = RecordOperation.make(
            .update, "a", ["title": .string("new")], tag: root.recordChangeTag)
        #expect(try await scene.ada.one(again, in: scene.own).record?.share?.recordName == "s")
        let later = try await scene.ada.saveShare(
            "s", .update, Share.Change(publicPermission: .readOnly),
            tag: share.recordChangeTag, in: scene.own)
        #expect(later.record?.sharing?.publicPermission == .readOnly)
        #expect(later.record?.shortGUID == share.shortGUID)
    }

    @Test(arguments: all)
    func `A-28 a share is saved over the version its writer has seen only, whatever the policy`(
        depth: Depth
    ) async throws {
        let scene = try await SharingScene(depth)
        let zone = Share.zoneWideName
        let first = try #require(
            await scene.ada.saveShare(zone, .forceUpdate, Share.Change(), in: scene.own).record)
        for kind in [RecordOperation.Kind.forceUpdate, .forceReplace, .update, .replace] {
            let stale = try await scene.ada.saveShare(
                zone, kind, Share.Change(), tag: "stale", in: scene.own)
            #expect(stale.code == .conflict, "\(kind)")
        }
        for kind in [RecordOperation.Kind.forceUpdate, .forceReplace] {
            #expect(
                try await scene.ada.saveShare(zone, kind, Share.Change(), in: scene.own).code
                    == .conflict, "\(kind)")
        }
        let next = try await scene.ada.saveShare(
            zone, .forceReplace, Share.Change(), tag: first.recordChangeTag, in: scene.own)
        #expect(next.record != nil)
    }

    @Test(arguments: all)
    func `A-102 nothing is shared twice, and a zone not both as a whole and in part`(
        depth: Depth
    ) async throws {
        let scene = try await SharingScene(depth, ["a": nil, "b": "a", "c": "b", "d": nil])
        func share(_ root: String, _ name: String) async throws -> CloudError? {
            let change = Share.Change(root: try await scene.root(root))
            return try await scene.ada.saveShare(name, change, in: scene.own).error
        }
        #expect(try await share("b", "s") == nil)
        for root in ["a", "b", "c"] {
            let error = try await share(root, "t")
            #expect(error?.code == .exists && error?.reason.contains("already shared") == true)
        }
        #expect(try await share("d", "t") == nil)
        let whole = try await scene.ada.saveShare(
            Share.zoneWideName, Share.Change(), in: scene.own)
        #expect(whole.code == .badRequest)
        // The other way round.
        try await scene.ada.modify([.forceDelete("s"), .forceDelete("t")], in: scene.own)
        try await scene.ada.saveShare(Share.zoneWideName, Share.Change(), in: scene.own)
        #expect(try await share("d", "u")?.code == .badRequest)
        let second = try await scene.ada.saveShare(
            Share.zoneWideName, .forceUpdate, Share.Change(), in: scene.own)
        #expect(second.code == .conflict)
    }

    @Test(arguments: all)
    func `A-103 a share has at most a hundred participants`(depth: Depth) async throws {
        let scene = try await SharingScene(depth)
        func people(_ count: Int) -> [ShareParticipant] {
            (0..<count).map {
                ShareParticipant(identity: UserIdentity(userRecordName: "guest-\($0)"))
            }
        }
        let change = Share.Change(participants: people(101))
        #expect(
            try await scene.ada.saveShare(Share.zoneWideName, change, in: scene.own).code
                == .badRequest)
        let fits = try await scene.ada.saveShare(
            Share.zoneWideName, Share.Change(participants: people(100)), in: scene.own)
        #expect(fits.record?.sharing?.participants.count == 101)
    }

    @Test(arguments: all)
    func `A-104 invitations end when a share becomes public, and guests leave when it no longer is`(
        depth: Depth
    ) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        let invited = try await scene.ada.saveShare(
            Share.zoneWideName, Share.Change(participants: [try await scene.invite("bob")]),
            in: scene.own)
        let guid = try #require(invited.record?.shortGUID)
        func set(_ permission: Share.Permission) async throws -> Share? {
            let tag = try await scene.ada.record(Share.zoneWideName, in: scene.own)
            let item = try await scene.ada.saveShare(
                Share.zoneWideName, .update, Share.Change(publicPermission: permission),
                tag: tag.recordChangeTag, in: scene.own)
            return item.record?.sharing
        }
        #expect(try await set(.readOnly)?.participants.map(\.role) == [.owner])
        let joined = try await scene.lobby("cyn").accept(guid).metadata
        #expect(joined?.role == .publicUser && joined?.permission == .readOnly)
        #expect(try await scene.cyn.names(in: scene.zone) == ["a"])
        // The server's permission of now counts.
        #expect(
            try await scene.cyn.one(.make(.create, "x"), in: scene.zone).code == .accessDenied)
        #expect(try await set(.readWrite)?.participants.map(\.role) == [.owner, .publicUser])
        #expect(try await scene.cyn.one(.make(.create, "x"), in: scene.zone).record != nil)
        // What the address allows is what they may do who came by it.
        #expect(try await set(.readOnly)?.participants.last?.permission == .readOnly)
        #expect(
            try await scene.cyn.one(.make(.create, "y"), in: scene.zone).code == .accessDenied)
        #expect(try await set(.none)?.participants.map(\.role) == [.owner])
        #expect(try await scene.cyn.list().zones.isEmpty)
        #expect(try await scene.lobby("cyn").accept(guid).error?.code == .accessDenied)
    }

    // MARK: - Resolving and accepting

    @Test(arguments: all)
    func `a short GUID leads who may know to the share and its root`(depth: Depth) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        let share = try #require(
            await scene.ada.saveShare(
                "s",
                Share.Change(
                    root: try await scene.root("a"),
                    participants: [try await scene.invite("bob", .readOnly)]),
                in: scene.own
            ).record)
        let guid = try #require(share.shortGUID)
        let owner = try #require(await scene.lobby("ada").resolve(guid).metadata)
        #expect(owner.scope == .private && owner.role == .owner)
        let bob = try #require(await scene.lobby("bob").resolve(guid).metadata)
        #expect(bob.scope == .shared && bob.role == .user)
        #expect(bob.acceptance == .invited && bob.permission == .readOnly)
        #expect(bob.zoneID == scene.zone && bob.container == scene.world.container)
        #expect(bob.rootRecordName == "a" && bob.rootRecord?.recordType == "Note")
        #expect(bob.share?.id.recordName == "s")
        #expect(bob.owner.userRecordName == scene.zone.ownerRecordName)
        #expect(
            try await scene.lobby("bob").resolve(guid, fetchesRoot: false).metadata?.rootRecord
                == nil)
        #expect(try await scene.lobby("cyn").resolve(guid).error?.code == .notFound)
        #expect(try await scene.lobby("bob").resolve("0nothing").error?.code == .notFound)
        // Until he accepts, he sees nothing.
        #expect(try await scene.bob.list().zones.isEmpty)
        #expect(try await scene.lobby("cyn").accept(guid).error?.code == .accessDenied)
        #expect(try await scene.lobby("ada").accept(guid).metadata?.role == .owner)
        for _ in 1...2 {
            #expect(try await scene.lobby("bob").accept(guid).metadata?.acceptance == .accepted)
        }
        #expect(try await scene.bob.names(in: scene.zone) == ["a"])
        let command = CloudCommand.read(.resolveShares([ShareLookup(guid)]))
        #expect(await scene.bob.code(command) == .badRequest)
    }

    @Test(arguments: all)
    func `a record has a short GUID where it asks for one`(depth: Depth) async throws {
        let scene = try await SharingScene(depth)
        var operation = RecordOperation.make(.create, "a")
        operation.createsShortGUID = true
        let record = try #require(await scene.ada.one(operation, in: scene.own).record)
        let guid = try #require(record.shortGUID)
        let found = try #require(await scene.lobby("ada").resolve(guid).metadata)
        #expect(found.rootRecord == record && found.share == nil)
        #expect(try await scene.lobby("bob").resolve(guid).error?.code == .notFound)
        #expect(try await scene.lobby("ada").accept(guid).error?.code == .badRequest)
        #expect(try await scene.ada.one(operation, in: .default).code == .badRequest)
        try await scene.ada.one(.forceDelete("a"), in: scene.own)
        #expect(try await scene.lobby("ada").resolve(guid).error?.code == .notFound)
    }

    @Test(arguments: all)
    func `a share's address stays good when its root is shared once more`(
        depth: Depth
    ) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        let first = try await scene.share("a", as: "s", with: [:])
        try await scene.ada.one(.forceDelete("s"), in: scene.own)
        #expect(
            try await scene.lobby("ada").resolve(first.shortGUID ?? "").error?.code == .notFound)
        let second = try await scene.share("a", as: "t", with: [:])
        #expect(first.shortGUID == second.shortGUID)
    }

    @Test(arguments: all)
    func `people are invited by what they are known by, before they have an account too`(
        depth: Depth
    ) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        // Somebody of this test's own, as all tests at depth `tls` have one service.
        let unborn = "dora-\(scene.world.container.rawValue.split(separator: ".").last ?? "")"
        let people = [
            UserIdentity.LookupInfo.emailAddress("bob@example.com"),
            .userRecordName(try await scene.name("cyn")),
            .emailAddress("\(unborn)@example.com"),
        ].map {
            ShareParticipant(identity: UserIdentity(userRecordName: "", lookupInfo: $0))
        }
        let share = try #require(
            await scene.ada.saveShare(
                Share.zoneWideName, Share.Change(participants: people), in: scene.own
            ).record)
        let shown = try #require(share.sharing?.participants)
        #expect(try await shown[1].identity.userRecordName == scene.name("bob"))
        #expect(shown[1].identity.lookupInfo == .emailAddress("bob@example.com"))
        #expect(shown[3].identity.userRecordName.isEmpty)
        let guid = try #require(share.shortGUID)
        try await scene.world.service.add(MockUser(unborn))
        for caller in [Caller.user("bob"), .user(unborn, device: "phone")] {
            let lobby = scene.world.database(.public, caller)
            #expect(try await lobby.accept(guid).metadata?.acceptance == .accepted)
        }
        let now = try await scene.ada.record(Share.zoneWideName, in: scene.own)
        #expect(
            now.sharing?.participants.map(\.acceptance)
                == [.accepted, .accepted, .invited, .accepted])
    }

    // MARK: - Ending one

    @Test(arguments: all, [nil, "a"])
    func `A-98 the owner deletes the share, and only sharing ends`(
        depth: Depth, root: String?
    ) async throws {
        let scene = try await SharingScene(depth, ["a": nil, "b": "a"])
        let share = try await scene.share(
            root, as: root == nil ? Share.zoneWideName : "s", with: ["bob": .readOnly])
        let token = try await scene.bob.databaseChanges(nil).token
        try await scene.ada.one(.forceDelete(share.id.recordName), in: scene.own)
        #expect(try await scene.ada.record("a", in: scene.own).share == nil)
        #expect(try await scene.ada.names(in: scene.own) == ["a", "b"])
        #expect(try await scene.bob.databaseChanges(token).zones == [.deleted(scene.zone)])
        #expect(try await scene.bob.drainError(nil, in: scene.zone)?.code == .zoneNotFound)
        #expect(
            try await scene.lobby("bob").accept(share.shortGUID ?? "").error?.code == .notFound)
    }

    @Test(arguments: all, [nil, "a"])
    func `A-99 a participant deletes the share, and only leaves it`(
        depth: Depth, root: String?
    ) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        let share = try await scene.share(
            root, as: root == nil ? Share.zoneWideName : "s",
            with: ["bob": .readOnly, "cyn": .readWrite])
        let left = try await scene.bob.one(.forceDelete(share.id.recordName), in: scene.zone)
        #expect(left.isDeleted)
        #expect(try await scene.bob.list().zones.isEmpty)
        #expect(try await scene.cyn.names(in: scene.zone) == ["a"])
        let now = try await scene.ada.record(share.id.recordName, in: scene.own)
        #expect(now.sharing?.participants.count == 2)
        let reference = try await scene.ada.record("a", in: scene.own).share
        #expect(reference?.recordName == (root == nil ? nil : "s"))
    }

    @Test(arguments: all)
    func `A-100 and A-101 only the owner deletes a shared root, and the share goes with it`(
        depth: Depth
    ) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        try await scene.share("a", as: "s", with: ["bob": .readWrite])
        let refused = try await scene.bob.one(.forceDelete("a"), in: scene.zone)
        #expect(refused.code == .accessDenied)
        #expect(try await scene.ada.one(.forceDelete("a"), in: scene.own).isDeleted)
        #expect(try await scene.ada.lookUp("s", in: scene.own).code == .notFound)
        #expect(try await scene.bob.list().zones.isEmpty)
    }

    @Test(arguments: all)
    func `root and share are deleted by one request, in either order`(
        depth: Depth
    ) async throws {
        for isRootFirst in [true, false] {
            let scene = try await SharingScene(depth, ["a": nil])
            let share = try await scene.share("a", as: "s", with: ["bob": .readWrite])
            let root = try await scene.ada.record("a", in: scene.own)
            let deletions: [RecordOperation] = [
                .delete("a", tag: root.recordChangeTag), .delete("s", tag: share.recordChangeTag),
            ]
            let reply = try await scene.ada.modify(
                isRootFirst ? deletions : deletions.reversed(), in: scene.own, atomic: true)
            #expect(reply.records.allSatisfy { $0.isDeleted }, "\(reply.records)")
            #expect(try await scene.bob.list().zones.isEmpty)
        }
    }

    @Test(arguments: all)
    func `the owner saves the root with the share's deletion, and both are told as they are`(
        depth: Depth
    ) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        try await scene.share("a", as: "s", with: [:])
        let tag = try await scene.ada.record("a", in: scene.own).recordChangeTag
        let reply = try await scene.ada.modify(
            [.forceDelete("s"), .make(.update, "a", ["n": .int64(1)], tag: tag)], in: scene.own,
            atomic: true)
        let root = try #require(reply.records[1].record)
        #expect(root.share == nil)
        #expect(
            try await scene.ada.record("a", in: scene.own).recordChangeTag == root.recordChangeTag)
    }

    @Test(arguments: all)
    func `the owner takes a participant off the list, who has a deleted zone then`(
        depth: Depth
    ) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        let share = try await scene.share(
            "a", as: "s", with: ["bob": .readWrite, "cyn": .readWrite])
        let token = try await scene.bob.databaseChanges(nil).token
        let bob = try await scene.world.name("bob")
        let stay = share.sharing?.participants.filter { $0.identity.userRecordName != bob }
        let saved = try await scene.ada.saveShare(
            "s", .update, Share.Change(participants: stay), tag: share.recordChangeTag,
            in: scene.own)
        #expect(saved.record?.sharing?.participants.count == 2)
        #expect(try await scene.bob.databaseChanges(token).zones == [.deleted(scene.zone)])
        #expect(try await scene.cyn.names(in: scene.zone) == ["a"])
        let guid = try #require(share.shortGUID)
        #expect(try await scene.lobby("bob").accept(guid).error?.code == .accessDenied)
        // Who is still on it keeps what they accepted.
        #expect(saved.record?.sharing?.participants.last?.acceptance == .accepted)
    }

    @Test(arguments: all)
    func `an atomic batch that fails shares nothing`(depth: Depth) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        let batch: [RecordOperation] = [
            .share(
                "s",
                Share.Change(
                    root: try await scene.root("a"), publicPermission: .readOnly)),
            .make(.update, "missing", tag: "1"),
        ]
        let reply = try await scene.ada.modify(batch, in: scene.own, atomic: true)
        #expect(reply.records.map(\.code) == [.atomicError, .notFound])
        #expect(try await scene.ada.record("a", in: scene.own).share == nil)
        let made = try await scene.ada.modify([batch[0]], in: scene.own, atomic: true)
        #expect(made.records[0].record != nil)
    }

    @Test(arguments: all)
    func `participants only change a share by leaving it, administrators may`(
        depth: Depth
    ) async throws {
        let scene = try await SharingScene(depth, ["a": nil])
        let share = try await scene.share(with: ["bob": .readWrite])
        func open(_ tag: String) async throws -> Record.Item {
            try await scene.bob.saveShare(
                Share.zoneWideName, .update, Share.Change(publicPermission: .readOnly), tag: tag,
                in: scene.zone)
        }
        #expect(try await open(share.recordChangeTag).code == .accessDenied)
        #expect(
            try await scene.bob.saveShare(
                "t", Share.Change(root: .init("a", recordChangeTag: "1")), in: scene.zone
            ).code == .accessDenied)
        var people = try #require(share.sharing?.participants)
        people[1].role = .administrator
        let changed = try await scene.ada.saveShare(
            Share.zoneWideName, .update, Share.Change(participants: people),
            tag: share.recordChangeTag, in: scene.own)
        let tag = try #require(changed.record?.recordChangeTag)
        #expect(try await open(tag).record?.sharing?.publicPermission == .readOnly)
    }
}
