import CloudModel
import Testing

/// Files beside records: where they are sent, what may be attached, and how long they are there.
@Suite(.timeLimit(.minutes(10)))
struct AssetTests {
    private static let bytes = Array("a photograph".utf8)

    private func world(_ depth: Depth, isAlone: Bool = false) async throws -> World {
        let world = try World(depth, isAlone: isAlone)
        try await world.ada.create("Notes", "Other")
        return world
    }

    /// What a request about bytes fails with.
    private func refusal<Result>(_ body: () async throws -> Result) async throws -> CloudError {
        do {
            _ = try await body()
        } catch let error as CloudError { return error }
        throw Odd()
    }

    @Test(arguments: Depth.allCases)
    func `C-112 what was uploaded is read back from an address of its own`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        let asset = try await world.ada.upload(Self.bytes, "a")
        #expect(asset.size == 12 && asset.receipt != nil)
        let saved = try await world.ada.put("a", ["photo": .asset(asset)])
        let read = try #require(try await world.ada.lookUp("a").first?.record?.asset())
        for kept in [try #require(saved.asset()), read] {
            #expect(kept.fileChecksum == asset.fileChecksum && kept.size == 12)
            #expect(kept.receipt == nil)
            let url = try #require(kept.downloadURL)
            #expect(try await world.ada.service.download(url) == Self.bytes)
            #expect(try await world.ada.service.download(url + "/my%20photo.png") == Self.bytes)
        }
        let found = try #require(try await world.ada.drain().items.first?.record?.asset())
        #expect(try await world.ada.service.download(try #require(found.downloadURL)) == Self.bytes)
        let page = try await world.ada.query(Query(recordType: "Note"))
        let hit = try #require(page.records.first?.record?.asset())
        #expect(try await world.ada.service.download(try #require(hit.downloadURL)) == Self.bytes)
    }

    @Test(arguments: Depth.allCases)
    func `a public database and a list take assets, and an empty file is one`(depth: Depth)
        async throws
    {
        let world = try await world(depth)
        let open = world.everybody
        let first = try await open.upload([], "a", "list", zone: "_defaultZone")
        let second = try await open.upload(Self.bytes, "a", "list", zone: "_defaultZone")
        let saved = try await open.put(
            "a", ["list": .list(.asset, [.asset(first), .asset(second)])], zone: "_defaultZone")
        guard case .list(.asset, let values)? = saved.fields["list"]?.value else { throw Odd() }
        var read: [[UInt8]] = []
        for case .asset(let asset) in values {
            read.append(try await open.service.download(try #require(asset.downloadURL)))
        }
        #expect(read == [[], Self.bytes])
    }

    @Test(arguments: Depth.allCases)
    func `what was never uploaded for a field cannot be its value`(depth: Depth) async throws {
        let world = try await world(depth)
        let asset = try await world.ada.upload(Self.bytes, "a")
        func save(
            _ asset: Asset, _ record: String = "a", _ field: String = "photo",
            zone: String = "Notes"
        ) async throws -> CloudError? {
            try await world.ada.one(
                .make(.forceUpdate, record, [field: .asset(asset)]), zone: zone
            ).error
        }
        var changed = asset
        changed.size += 1
        #expect(try await save(changed)?.reason.contains("size") == true)
        changed = asset
        changed.fileChecksum = try await world.ada.upload([1], "a").fileChecksum
        #expect(try await save(changed)?.reason.contains("fileChecksum") == true)
        changed = asset
        changed.receipt = nil
        #expect(try await save(changed)?.reason.contains("never uploaded") == true)
        changed.receipt = "cmVjZWlwdC0x"
        #expect(try await save(changed)?.reason.contains("never uploaded") == true)
        changed.fileChecksum = "abc"
        #expect(try await save(changed)?.code == .badRequest)
        #expect(try await save(asset, "b")?.reason.contains("another record or field") == true)
        #expect(try await save(asset, "a", "scan")?.reason.contains("another record") == true)
        #expect(try await save(asset, zone: "Other")?.reason.contains("another zone") == true)
        #expect(try await world.ada.exists("a") == false)
        #expect(try await save(asset) == nil)
        // The same value once more, as after a lost answer.
        #expect(try await save(asset) == nil)
    }

    @Test(arguments: Depth.allCases)
    func `an asset is saved back unchanged, and only in its own field`(depth: Depth) async throws {
        let world = try await world(depth)
        let asset = try await world.ada.upload(Self.bytes, "a")
        let read = try #require(
            try await world.ada.put("a", ["photo": .asset(asset)]).asset())
        let again = try await world.ada.put("a", ["photo": .asset(read), "n": .int64(1)])
        #expect(again.asset()?.fileChecksum == asset.fileChecksum)
        let moved = try await world.ada.one(.make(.forceUpdate, "a", ["scan": .asset(read)]))
        #expect(moved.code == .badRequest)
        let cleared = RecordOperation(
            .forceUpdate, recordName: "a", recordType: "Note", fields: ["photo": nil])
        #expect(try await world.ada.one(cleared).record?.fields["photo"] == nil)
        let back = try await world.ada.one(.make(.forceUpdate, "a", ["photo": .asset(read)]))
        #expect(back.code == .badRequest)
    }

    @Test(arguments: Depth.allCases)
    func `an address takes one file, and the same again`(depth: Depth) async throws {
        let world = try await world(depth)
        let url = try await world.ada.uploadURL("a")
        let first = try await world.ada.service.upload(Self.bytes, to: url)
        let again = try await world.ada.service.upload(Self.bytes, to: url)
        #expect(again.receipt == first.receipt)
        let other = try await refusal { try await world.ada.service.upload([1], to: url) }
        #expect(other.code == .conflict && other.reason.contains("another file"))
        let wrong = try await refusal {
            try await world.ada.service.upload([1], to: String(url.dropLast()) + "x")
        }
        #expect(wrong.code == .notFound && wrong.reason.contains("not an upload address"))
        try await world.ada.put("a", ["photo": .asset(first)])
    }

    @Test(arguments: Depth.allCases)
    func `addresses expire on the service's clock`(depth: Depth) async throws {
        let world = try await world(depth, isAlone: true)
        let late = try await world.ada.uploadURL("a")
        let inTime = try await world.ada.uploadURL("a")
        world.advance(15 * 60_000 - 1)
        let asset = try await world.ada.service.upload(Self.bytes, to: inTime)
        world.advance(1)
        let error = try await refusal { try await world.ada.service.upload(Self.bytes, to: late) }
        #expect(error.code == .notFound && error.reason.contains("expired"))
        // What was uploaded can still be claimed, and a record's address outlives it by itself.
        let saved = try await world.ada.put("a", ["photo": .asset(asset)])
        let url = try #require(saved.asset()?.downloadURL)
        world.advance(3_600_000 - 1)
        #expect(try await world.ada.service.download(url) == Self.bytes)
        world.advance(1)
        let old = try await refusal { try await world.ada.service.download(url) }
        #expect(old.code == .accessDenied && old.reason.contains("expired"))
        let new = try #require(try await world.ada.lookUp("a").first?.record?.asset()?.downloadURL)
        #expect(try await world.ada.service.download(new) == Self.bytes)
        world.advance(24 * 3_600_000)
        try await world.ada.one(.make(.forceReplace, "a"))
        let spent = try await world.ada.one(.make(.forceUpdate, "a", ["photo": .asset(asset)]))
        #expect(spent.error?.reason.contains("expired") == true)
    }

    @Test(arguments: Depth.allCases)
    func `the address of a deleted asset is not found, also after it has expired`(depth: Depth)
        async throws
    {
        let world = try await world(depth, isAlone: true)
        var urls: [String] = []
        for name in ["a", "b", "c"] {
            let asset = try await world.ada.upload(Self.bytes, name)
            let saved = try await world.ada.put(name, ["photo": .asset(asset)])
            urls.append(try #require(saved.asset()?.downloadURL))
        }
        try await world.ada.one(RecordOperation(.forceDelete, recordName: "a"))
        try await world.ada.one(.make(.forceReplace, "b"))
        for url in urls[...1] {
            let error = try await refusal { try await world.ada.service.download(url) }
            #expect(error.code == .notFound && error.reason.contains("was deleted"))
        }
        #expect(try await world.ada.service.download(urls[2]) == Self.bytes)
        try await world.ada.delete(zone: "Notes")
        world.advance(4_000_000)
        for url in urls {
            let error = try await refusal { try await world.ada.service.download(url) }
            #expect(error.code == .notFound && error.reason.contains("was deleted"))
        }
        // A zone of the same name is another.
        try await world.ada.create("Notes")
        #expect(
            try await refusal { try await world.ada.service.download(urls[0]) }.code == .notFound)
    }

    @Test(arguments: Depth.allCases)
    func `an upload ends with its zone`(depth: Depth) async throws {
        let world = try await world(depth)
        let url = try await world.ada.uploadURL("a")
        try await world.ada.put("a")
        let asset = try await world.ada.upload(Self.bytes, "b")
        try await world.ada.delete(zone: "Notes")
        let error = try await refusal { try await world.ada.service.upload([1], to: url) }
        #expect(error.code == .notFound)
        try await world.ada.create("Notes")
        let kept = try await world.ada.one(.make(.forceUpdate, "b", ["photo": .asset(asset)]))
        // Whether its rows have gone by now makes no difference.
        #expect(kept.error?.reason.contains("unknown, or has expired") == true)
    }

    @Test(arguments: Depth.allCases)
    func `an upload ends with a zone that never had a record`(depth: Depth) async throws {
        let world = try await world(depth, isAlone: true)
        let ofZone = try await world.ada.uploadURL("a")
        try await world.ada.delete(zone: "Notes")
        let ofReset = try await world.ada.uploadURL("a", zone: "Other")
        let ofDefault = try await world.ada.uploadURL("a", zone: "_defaultZone")
        try await world.service.reset()
        for url in [ofZone, ofReset, ofDefault] {
            let error = try await refusal { try await world.ada.service.upload([1], to: url) }
            #expect(error.code == .notFound && error.reason.contains("deleted"))
        }
    }

    @Test(arguments: Depth.allCases)
    func `a stored asset is attached elsewhere without an upload`(depth: Depth) async throws {
        let world = try await world(depth)
        let asset = try await world.ada.upload(Self.bytes, "a")
        try await world.ada.put("a", ["photo": .asset(asset)])
        guard case .asset(_, let stored) = try await world.ada.rereference("a") else {
            throw Odd()
        }
        #expect(stored.fileChecksum == asset.fileChecksum && stored.size == 12)
        // It goes only with the last that refers to it.
        try await world.ada.one(RecordOperation(.forceDelete, recordName: "a"))
        let copy = try await world.ada.put("b", ["scan": .asset(stored)])
        let url = try #require(copy.asset("scan")?.downloadURL)
        #expect(try await world.ada.service.download(url) == Self.bytes)
        for (record, field) in [("a", "photo"), ("b", "photo"), ("c", "photo")] {
            guard case .failure(_, let error) = try await world.ada.rereference(record, field)
            else { throw Odd() }
            #expect(error.code == .notFound)
        }
        let other = try await world.ada.one(
            .make(.forceUpdate, "a", ["photo": .asset(stored)]), zone: "Other")
        #expect(other.error?.reason.contains("another zone") == true)
    }

    @Test(arguments: Depth.allCases)
    func `who may not write gets no address, and neither does a field that is no asset`(
        depth: Depth
    ) async throws {
        let world = try await world(depth)
        try await world.ada.put("a", ["title": .string("x")])
        func upload(
            _ asker: Asker, _ type: String = "Note", _ field: String = "photo",
            record: String? = "a", zone: String = "Notes"
        ) async throws -> CloudError? {
            let token = AssetUploadRequest.Token(
                recordType: type, fieldName: field, recordName: record)
            let request = AssetUploadRequest([token], zoneID: RecordZone.ID(zone))
            do {
                let reply = try await asker.ask(.write(.uploadAssets(request)))
                guard case .assetUploads(let items) = reply else { throw Odd() }
                if case .failure(_, let error)? = items.first { return error }
                return nil
            } catch let error as CloudError {
                return error
            }
        }
        #expect(try await upload(world.ada, record: nil) == nil)
        #expect(try await upload(world.ada, "Note", "title")?.reason.contains("STRING") == true)
        #expect(try await upload(world.ada, "No type")?.code == .badRequest)
        #expect(try await upload(world.ada, "Note", "no field")?.code == .badRequest)
        #expect(try await upload(world.ada, "Note", "photo", record: "_a")?.code == .badRequest)
        #expect(try await upload(world.ada, zone: "Missing")?.code == .zoneNotFound)
        let anybody = world.database(.public, .anonymous)
        #expect(
            try await upload(anybody, zone: "_defaultZone")?.code == .authenticationRequired)
    }

    @Test(arguments: Depth.allCases)
    func `more than 200 tokens are refused`(depth: Depth) async throws {
        let world = try await world(depth)
        let token = AssetUploadRequest.Token(recordType: "Note", fieldName: "photo")
        func code(_ count: Int) async -> CloudError.Code? {
            await world.ada.code(
                .write(.uploadAssets(AssetUploadRequest(Array(repeating: token, count: count)))))
        }
        #expect(await code(200) == nil)
        #expect(await code(201) == .badRequest)
    }
}
