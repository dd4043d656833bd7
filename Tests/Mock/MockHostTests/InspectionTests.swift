import CloudModel
import HTTPServer
import JSON
import MockSamples
import MockStore
import Testing

/// What the administration shows of the data.
struct InspectionTests {
    private static let database = "container=\(Samples.main)&user=ann"
    private static let zone = database + "&zone=Notes"

    private func save(
        _ bench: Bench, _ operations: [RecordOperation], zone: String = "Notes"
    ) throws {
        let request = RecordModifyRequest(operations: operations, zoneID: RecordZone.ID(zone))
        #expect(try bench.call(.write(.modifyRecords(request)))?.status == 200)
    }

    private func note(_ name: String, _ type: String = "Note") -> RecordOperation {
        RecordOperation(
            .create, recordName: name, recordType: type, fields: ["title": Field(.string(name))])
    }

    private func names(_ bench: Bench, _ query: String) throws -> [String] {
        let answer = try bench.admin("GET", "records?" + Self.zone + query)
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(answer.json?["records"]).elements
            .compactMap { $0["recordName"]?.string }
    }

    private func first(_ key: String, of answer: Bench.Answer) -> JSONValue? {
        answer.json?[key]?.elements.first { _ in true }
    }

    private func bench() throws -> Bench {
        let bench = try Bench()
        try bench.make("Notes")
        try save(bench, ["a", "b", "c", "d"].map { note($0) } + [note("e", "Folder")])
        try save(bench, [RecordOperation(.forceDelete, recordName: "c")])
        return bench
    }

    @Test func `zones are counted page by page, and the deleted say why`() throws {
        let bench = try bench()
        try bench.make("Old", "Empty")
        _ = try bench.call(Samples.deleteZones("Old"))
        try bench.admin(
            "POST", "simulate",
            #"{"event":"purge","user":"ann","container":"\#(Samples.main)","zone":"Empty"}"#)
        var found: [String: JSONValue] = [:]
        var query = "zones?limit=1&" + Self.database
        var pages = 0
        while pages < 10 {
            pages += 1
            let page = try #require(try bench.admin("GET", query).json)
            for zone in try #require(page["zones"]).elements {
                found[zone["zone"]?.string ?? ""] = zone
            }
            guard page["more"]?.bool == true else { break }
            query = "zones?limit=1&\(Self.database)&after=\(page["after"]?.int64 ?? 0)"
        }
        #expect(pages == found.count)
        #expect(found["Notes"]?["records"]?.int64 == 4)
        #expect(found["Notes"]?["tombstones"]?.int64 == 1)
        #expect(found["Notes"]?["live"]?.bool == true)
        #expect(found["Old"]?["deletion"]?.string == "deleted")
        #expect(found["Empty"]?["deletion"]?.string == "purged")
    }

    @Test func `records are listed by name, and found by name, type and whether they are deleted`()
        throws
    {
        let bench = try bench()
        #expect(try names(bench, "") == ["a", "b", "d", "e"])
        #expect(try names(bench, "&limit=2") == ["a", "b"])
        #expect(try names(bench, "&limit=2&after=b") == ["d", "e"])
        #expect(try names(bench, "&name=%5Bz%5D") == [])
        #expect(try names(bench, "&name=*d*") == ["d"])
        #expect(try names(bench, "&type=Folder") == ["e"])
        #expect(try names(bench, "&deleted=only") == ["c"])
        #expect(try names(bench, "&deleted=also&type=Note") == ["a", "b", "c", "d"])
        let pages = try bench.admin("GET", "records?\(Self.zone)&limit=3").json
        #expect(pages?["more"]?.bool == true && pages?["after"]?.string == "d")
    }

    @Test func `a page ends with as many bytes as one request may read`() throws {
        let bench = try Bench()
        try bench.make("Notes")
        let text = String(repeating: "x", count: 900_000)
        for number in 0..<7 {
            try save(
                bench,
                [
                    RecordOperation(
                        .create, recordName: "r\(number)", recordType: "Note",
                        fields: ["text": Field(.string(text))])
                ])
        }
        var found = try names(bench, "")
        #expect(found.count < 7)
        for _ in 0..<7 { found += try names(bench, "&after=\(found.last ?? "")") }
        #expect(found == (0..<7).map { "r\($0)" })
    }

    @Test func `a record is shown with who made it and what points to it`() throws {
        let bench = try bench()
        let target = Record.Reference("a", zoneID: RecordZone.ID("Notes"), action: .deleteSelf)
        try save(
            bench,
            [
                RecordOperation(
                    .create, recordName: "z", recordType: "Note",
                    fields: ["of": Field(.reference(target))])
            ])
        let shown = try #require(
            try bench.admin("GET", "record?\(Self.zone)&name=a").json)
        #expect(shown["record"]?["fields"]?["title"]?["value"]?.string == "a")
        #expect(shown["record"]?["fields"]?["title"]?["type"]?.string == "STRING")
        #expect(shown["createdBy"]?.string == "ann")
        #expect(
            shown["referrers"]?.elements.map { [$0["recordName"]?.string, $0["kind"]?.string] }
                == [["z", "DELETE_SELF"]])
        let gone = try #require(try bench.admin("GET", "record?\(Self.zone)&name=c").json)
        #expect(gone["record"] == nil)
        #expect(gone["tombstone"]?["recordType"]?.string == "Note")
        #expect(gone["deletedBy"]?.string == "ann")
    }

    @Test(arguments: [
        ("zones", 400), ("zones?container=nope&user=ann", 400),
        ("zones?container=\(Samples.main)", 400),
        ("zones?container=\(Samples.main)&user=nobody", 400),
        ("zones?container=\(Samples.main)&user=ann&database=public", 400),
        ("zones?\(database)&database=secret", 400), ("zones?\(database)&limit=0", 400),
        ("zones?\(database)&environment=staging", 400), ("zones?\(database)&after=-2", 400),
        ("records?\(database)", 400), ("records?\(database)&zone=Nope", 404),
        ("records?\(zone)&limit=501", 400), ("records?\(zone)&deleted=perhaps", 400),
        ("record?\(zone)", 400), ("record?\(zone)&name=nope", 404),
        ("shares?\(database)&database=shared", 400), ("asset", 400),
        ("asset?downloadURL=https://localhost/asset/00", 404),
    ])
    func `what is not there, or not whole, is refused`(path: String, status: Int) throws {
        let answer = try bench().admin("GET", path)
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer.json?["error"]?.string?.isEmpty == false)
    }

    @Test func `participants are listed, and see the zone in their shared database`() throws {
        let bench = try bench()
        try bench.admin(
            "POST", "simulate",
            #"{"event":"share","user":"ann","with":"bob","container":"\#(Samples.main)","zone":"Notes"}"#
        )
        let share = try first("shares", of: bench.admin("GET", "shares?" + Self.database))
        #expect(share?["recordName"]?.string == "cloudkit.zoneshare")
        #expect(
            share?["participants"]?.elements.map { $0["user"]?.string } == ["ann", "bob"])
        let shared = "container=\(Samples.main)&user=bob&database=shared"
        let zone = try first("zones", of: bench.admin("GET", "zones?" + shared))
        #expect(zone?["records"]?.int64 == 5)
        let owner = try #require(zone?["owner"]?.string)
        let records = try bench.admin("GET", "records?\(shared)&zone=Notes&owner=\(owner)")
        #expect(records.json?["records"]?.count == 5)
        #expect(try bench.admin("GET", "records?\(shared)&zone=Notes").text.contains("owner"))
    }

    @Test func `shares come page by page`() throws {
        let bench = try bench()
        try bench.make("Lists")
        for zone in ["Notes", "Lists"] {
            try bench.admin(
                "POST", "simulate",
                #"{"event":"share","user":"ann","with":"bob","container":"\#(Samples.main)","zone":"\#(zone)"}"#
            )
        }
        let query = "shares?limit=1&" + Self.database
        let page = try bench.admin("GET", query)
        #expect(first("shares", of: page)?["zone"]?.string == "Notes")
        #expect(page.json?["more"]?.bool == true)
        let next = try bench.admin("GET", query + "&after=\(page.json?["after"]?.int64 ?? 0)")
        #expect(first("shares", of: next)?["zone"]?.string == "Lists")
        let end = try bench.admin("GET", query + "&after=\(next.json?["after"]?.int64 ?? 0)")
        #expect(end.json?["shares"]?.count == 0 && end.json?["more"]?.bool == false)
    }

    @Test func `looking leaves no trace, not in the journal and not in faults`() throws {
        let bench = try bench()
        let file = Array("a photograph".utf8)
        guard
            case .assetUploads(let items) = try bench.reply(
                .write(
                    .uploadAssets(
                        AssetUploadRequest([
                            .init(recordType: "Note", fieldName: "photo", recordName: "p")
                        ])))), case .address(_, let url)? = items.first
        else { throw CloudError(.unknown) }
        let target = String(url.dropFirst("https://localhost:8443".count))
        let sent = try #require(
            try bench.send(HTTPRequest(method: "POST", target: target, body: file))?
                .json?["singleFile"])
        var asset = Asset(
            fileChecksum: sent["fileChecksum"]?.string ?? "",
            size: try #require(sent["size"]?.int64))
        asset.receipt = sent["receipt"]?.string
        let operation = RecordOperation(
            .create, recordName: "p", recordType: "Note", fields: ["photo": Field(.asset(asset))])
        try save(bench, [operation], zone: "_defaultZone")
        try bench.admin("POST", "faults", #"["any -> INTERNAL_ERROR"]"#)
        let before = try bench.admin("GET", "journal").json?["total"]?.int64
        let record = try bench.admin("GET", "record?\(Self.database)&zone=_defaultZone&name=p").json
        let address = try #require(
            record?["record"]?["fields"]?["photo"]?["value"]?["downloadURL"]?.string)
        let answer = try bench.admin("GET", "asset?downloadURL=" + address)
        #expect(answer.body == file)
        #expect(answer.headers["content-disposition"] == "attachment")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        let part = try #require(
            try bench.send(
                HTTPRequest(
                    method: "GET", target: "/_mock/v1/asset?downloadURL=" + address,
                    headers: ["range": "bytes=1-2"])))
        #expect(part.status == 206)
        #expect(part.body == Array(file[1...2]))
        #expect(part.headers["content-range"] == "bytes 1-2/\(file.count)")
        _ = try names(bench, "")
        #expect(try bench.admin("GET", "journal").json?["total"]?.int64 == before)
        #expect(try first("rules", of: bench.admin("GET", "faults"))?["matched"]?.int64 == 0)
    }

    @Test func `the digits of a large number are shown as they are`() throws {
        let bench = try bench()
        let number = Int64(1) << 53 + 1
        try save(
            bench,
            [
                RecordOperation(
                    .create, recordName: "large", recordType: "Count",
                    fields: ["n": Field(.int64(number))])
            ])
        let path = "record?\(Self.zone)&name=large"
        func value(_ query: String) throws -> JSONValue? {
            try bench.admin("GET", path + query).json?["record"]?["fields"]?["n"]?["value"]
        }
        #expect(try value("&numbersAsStrings=true")?.string == "\(number)")
        #expect(try value("")?.int64 == number)
        #expect(try bench.admin("GET", path + "&numbersAsStrings=1").status == 400)
    }

    @Test func `a guest's part of a zone is counted, with what came into it last`() throws {
        let bench = try bench()
        var child = note("below")
        child.parent = .init("a", zoneID: RecordZone.ID("Notes"))
        try save(bench, [child])
        let tag = try #require(
            try bench.admin("GET", "record?\(Self.zone)&name=a").json?["record"]?[
                "recordChangeTag"]?.string)
        var share = RecordOperation(
            .create, recordName: "of-a", recordType: Share.recordType)
        share.share = Share.Change(
            root: .init("a", recordChangeTag: tag), publicPermission: .readOnly)
        try save(bench, [share])
        let shown = try bench.admin("GET", "record?\(Self.zone)&name=of-a").json
        let guid = try #require(shown?["record"]?["shortGUID"]?.string)
        let accepted = try bench.call(
            .write(.acceptShares([ShareLookup(guid)])), as: "bob", at: Samples.address(.public))
        #expect(accepted?.status == 200)
        let zone = try first(
            "zones",
            of: bench.admin("GET", "zones?container=\(Samples.main)&user=bob&database=shared"))
        #expect(zone?["records"]?.int64 == 3)
        #expect(zone?["end"]?.int64 ?? 0 > 0)
    }

    @Test func `records are found by name in all zones`() throws {
        let bench = try bench()
        try bench.make("Lists")
        try save(bench, [note("a"), note("apple")], zone: "Lists")
        func found(_ query: String) throws -> [String] {
            try #require(try bench.admin("GET", "search?" + query).json?["matches"]).elements.map {
                [$0["zone"]?.string, $0["recordName"]?.string].compactMap(\.self).joined(
                    separator: "/") + ($0["live"]?.bool == true ? "" : " deleted")
            }
        }
        #expect(try found("name=a") == ["Notes/a", "Lists/a"])
        #expect(try found("name=a*&user=ann") == ["Notes/a", "Lists/a", "Lists/apple"])
        #expect(try found("name=c") == ["Notes/c deleted"])
        #expect(try found("name=*&user=bob") == [])
        let page = try bench.admin("GET", "search?name=a*&limit=2").json
        #expect(page?["matches"]?.count == 2 && page?["more"]?.bool == true)
        #expect(try bench.admin("GET", "search?name=a&limit=3").json?["more"]?.bool == false)
        for query in ["", "name=", "name=a&user=nobody", "name=a&limit=0"] {
            #expect(try bench.admin("GET", "search?" + query).status == 400, "\(query)")
        }
    }

    @Test func `events say what they take, and snapshots their names`() throws {
        let bench = try bench()
        let answer = try bench.admin("GET", "simulate")
        #expect(answer.json?["events"]?.count == SimulatedEvent.Kind.allCases.count)
        #expect(
            first("events", of: answer)?["needs"]?.elements.compactMap(\.string) == [
                "user", "container",
            ])
        #expect(try bench.admin("GET", "snapshots").json?["snapshots"]?.count == 0)
        try bench.admin("POST", "simulate", #"{"event":"snapshot","name":"before"}"#)
        #expect(
            try bench.admin("GET", "snapshots").json?["snapshots"]?.elements.map(\.string)
                == ["before"])
    }
}
