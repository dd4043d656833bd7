import Basics
import CloudModel
import CloudWire
import Testing

/// The documented answer of each endpoint, in both directions.
struct GoldenReplyTests {
    static let ada = "_3f0c7b1e9a2d4c58b6e1f0a9d8c7b6a5"
    static let zone = RecordZone.ID("Journal", ownerRecordName: ada)
    static let zoneJSON =
        #"{"zoneName":"Journal","ownerRecordName":"\#(ada)","zoneType":"REGULAR_CUSTOM_ZONE"}"#
    static let gone = RecordZone.ID("Gone")
    static let goneJSON =
        #"{"zoneID":{"zoneName":"Gone"},"uuid":"U","serverErrorCode":"ZONE_NOT_FOUND","#
        + #""reason":"Zone does not exist"}"#
    static let zoneNotFound = CloudError(.zoneNotFound, reason: "Zone does not exist")

    static var record: Record {
        let stamp = Record.Stamp(
            timestamp: Timestamp(milliseconds: 1_767_225_601_234), userRecordName: ada,
            deviceID: "2")
        var record = Record(
            id: Record.ID("entry-1", zoneID: zone), recordType: "Entry", recordChangeTag: "4f",
            created: stamp, modified: stamp)
        record.fields = [
            "when": Field(.timestamp(Timestamp(milliseconds: 1_767_225_600_000))),
            "secret": Field(.bytes([1, 2, 3]), isEncrypted: true),
        ]
        record.parent = Record.Reference("book-1")
        return record
    }
    static let stampJSON =
        #"{"timestamp":1767225601234,"userRecordName":"\#(ada)","deviceID":"2"}"#
    static let recordJSON =
        #"{"recordName":"entry-1","recordType":"Entry","fields":{"#
        + #""secret":{"value":"AQID","type":"BYTES","isEncrypted":true},"#
        + #""when":{"value":1767225600000,"type":"TIMESTAMP"}},"pluginFields":{},"#
        + #""recordChangeTag":"4f","created":\#(stampJSON),"modified":\#(stampJSON),"#
        + #""deleted":false,"zoneID":\#(zoneJSON),"#
        + #""parent":{"recordName":"book-1","action":"NONE"}}"#

    static let zonePage = ZonePage(
        zones: [
            .zone(
                RecordZone(
                    id: RecordZone.ID("_defaultZone", ownerRecordName: ada), isAtomic: false)),
            .zone(RecordZone(id: zone, isAtomic: true, syncToken: ChangeToken("AQAS"))),
            .deleted(RecordZone.ID("Old", ownerRecordName: ada)),
            .deleted(RecordZone.ID("Erased", ownerRecordName: ada), reason: .purged),
            .deleted(RecordZone.ID("Lost", ownerRecordName: ada), reason: .encryptedDataReset),
        ], token: ChangeToken("AQAG"), moreComing: false)
    static func zonePageJSON(_ tokenKey: String) -> String {
        #"{"zones":[{"zoneID":{"zoneName":"_defaultZone","ownerRecordName":"\#(ada)","#
            + #""zoneType":"DEFAULT_ZONE"},"atomic":false},"#
            + #"{"zoneID":\#(zoneJSON),"syncToken":"AQAS","atomic":true},"#
            + #"{"zoneID":{"zoneName":"Old","ownerRecordName":"\#(ada)","#
            + #""zoneType":"REGULAR_CUSTOM_ZONE"},"deleted":true},"#
            + #"{"zoneID":{"zoneName":"Erased","ownerRecordName":"\#(ada)","#
            + #""zoneType":"REGULAR_CUSTOM_ZONE"},"deleted":true,"deletionReason":"purged"},"#
            + #"{"zoneID":{"zoneName":"Lost","ownerRecordName":"\#(ada)","#
            + #""zoneType":"REGULAR_CUSTOM_ZONE"},"deleted":true,"#
            + #""deletionReason":"encryptedDataReset"}],"#
            + #""moreComing":false,"\#(tokenKey)":"AQAG"}"#
    }

    static let zoneReplies: [(CloudCommand, CloudReply, String)] = [
        (
            .read(.listZones(token: nil)),
            .zonePage(
                ZonePage(
                    zones: Array(zonePage.zones.prefix(2)), token: ChangeToken("AQAG"),
                    moreComing: true)),
            #"{"zones":[{"zoneID":{"zoneName":"_defaultZone","ownerRecordName":"\#(ada)","#
                + #""zoneType":"DEFAULT_ZONE"},"atomic":false},"#
                + #"{"zoneID":\#(zoneJSON),"syncToken":"AQAS","atomic":true}],"#
                + #""moreComing":true,"syncToken":"AQAG"}"#
        ),
        (
            .read(.zoneListChanges(token: nil, limit: nil)), .zonePage(zonePage),
            zonePageJSON("metaSyncToken")
        ),
        (
            .read(.databaseChanges(token: nil, limit: nil)), .zonePage(zonePage),
            zonePageJSON("syncToken")
        ),
        (
            .read(.lookUpZones([zone, gone])),
            .zones([.zone(RecordZone(id: zone, isAtomic: true)), .failure(gone, zoneNotFound)]),
            #"{"zones":[{"zoneID":\#(zoneJSON),"atomic":true},\#(goneJSON)]}"#
        ),
        (
            .write(.modifyZones([.delete(zone), .delete(gone)])),
            .zones([.deleted(zone), .failure(gone, zoneNotFound)]),
            #"{"zones":[{"zoneID":\#(zoneJSON),"deleted":true},\#(goneJSON)]}"#
        ),
        (
            .read(
                .zoneChanges([ZoneChangesRequest(zoneID: zone), ZoneChangesRequest(zoneID: gone)])),
            .zoneChanges([
                .page(
                    ZoneChangesPage(
                        zoneID: zone,
                        records: [
                            .deleted(recordName: "entry-0", recordChangeTag: "4e"),
                            .record(record),
                        ], token: ChangeToken("AQAS"), moreComing: true)),
                .failure(gone, zoneNotFound),
            ]),
            #"{"zones":[{"zoneID":\#(zoneJSON),"records":["#
                + #"{"recordName":"entry-0","deleted":true,"recordChangeTag":"4e","#
                + #""zoneID":\#(zoneJSON)},\#(recordJSON)],"#
                + #""syncToken":"AQAS","moreComing":true},\#(goneJSON)]}"#
        ),
    ]

    static let modify = RecordModifyRequest(
        operations: [
            RecordOperation(.create, recordName: "entry-1", recordType: "Entry"),
            .forceDelete("entry-0"),
        ], zoneID: zone)
    static let itemFailures: [Record.Item] = [
        .failure(
            recordName: "entry-1",
            CloudError(.exists, reason: "record to insert already exists")),
        .failure(recordName: "entry-0", CloudError(.atomicError)),
    ]

    static let otherReplies: [(CloudCommand, CloudReply, String)] = [
        (
            .read(
                .queryRecords(RecordQueryRequest(query: Query(recordType: "Entry"), zoneID: zone))),
            .recordPage(RecordPage(records: [.record(record)], continuationMarker: "bTI=")),
            #"{"records":[\#(recordJSON)],"continuationMarker":"bTI="}"#
        ),
        (
            .read(
                .lookUpRecords(
                    RecordLookupRequest(recordNames: ["entry-1", "gone"], zoneID: zone))),
            .records(
                RecordsReply(records: [
                    .record(record),
                    .failure(
                        recordName: "gone",
                        CloudError(.notFound, reason: "Record not found")),
                ])),
            #"{"records":[\#(recordJSON),{"recordName":"gone","uuid":"U","#
                + #""serverErrorCode":"NOT_FOUND","reason":"Record not found"}]}"#
        ),
        (
            .write(.modifyRecords(modify)),
            .records(
                RecordsReply(
                    records: [
                        .record(record), .deleted(recordName: "entry-0", recordChangeTag: nil),
                    ], token: ChangeToken("AQAR"))),
            #"{"records":[\#(recordJSON),{"recordName":"entry-0","deleted":true}],"#
                + #""syncToken":"AQAR"}"#
        ),
        (
            .write(.modifyRecords(modify)),
            .records(RecordsReply(records: itemFailures, failedAtomically: true)),
            #"{"uuid":"U","serverErrorCode":"ATOMIC_ERROR","#
                + #""reason":"an operation of the batch failed","records":["#
                + #"{"recordName":"entry-1","uuid":"U","serverErrorCode":"EXISTS","#
                + #""reason":"record to insert already exists"},"#
                + #"{"recordName":"entry-0","uuid":"U","serverErrorCode":"ATOMIC_ERROR","#
                + #""reason":""}]}"#
        ),
        (
            .write(.modifySubscriptions([.delete("entries"), .delete("old")])),
            .subscriptions([
                .deleted("entries"),
                .failure("old", CloudError(.notFound, reason: "subscription not found")),
            ]),
            #"{"subscriptions":[{"subscriptionID":"entries","deleted":true},"#
                + #"{"subscriptionID":"old","uuid":"U","serverErrorCode":"NOT_FOUND","#
                + #""reason":"subscription not found"}]}"#
        ),
        (
            .read(.listSubscriptions),
            .subscriptions([
                .subscription(
                    Subscription(
                        subscriptionID: "zone-journal", kind: .zone, zoneID: zone,
                        firesOn: [.create]))
            ]),
            #"{"subscriptions":[{"subscriptionID":"zone-journal","subscriptionType":"zone","#
                + #""zoneID":\#(zoneJSON),"firesOn":["create"],"firesOnce":false,"#
                + #""zoneWide":true}]}"#
        ),
        (
            .read(.currentUser),
            .user(UserIdentity(userRecordName: ada, givenName: "Ada", familyName: "Example")),
            #"{"userRecordName":"\#(ada)","firstName":"Ada","lastName":"Example"}"#
        ),
        (
            .read(.caller),
            .user(UserIdentity(userRecordName: ada, givenName: "Ada", familyName: "Example")),
            #"{"userRecordName":"\#(ada)","nameComponents":{"givenName":"Ada","#
                + #""familyName":"Example"},"users":[{"userRecordName":"\#(ada)","#
                + #""nameComponents":{"givenName":"Ada","familyName":"Example"}}]}"#
        ),
        (
            .read(.discoverUsers([.emailAddress("ada@example.org"), .userRecordName("_0")])),
            .users([
                .user(
                    UserIdentity(
                        userRecordName: ada,
                        nameComponents: NameComponents(givenName: "Ada", familyName: "Example"),
                        lookupInfo: .emailAddress("ada@example.org")))
            ]),
            #"{"users":[{"userRecordName":"\#(ada)","lookupInfo":{"emailAddress":"#
                + #""ada@example.org"},"nameComponents":{"givenName":"Ada","#
                + #""familyName":"Example"}}]}"#
        ),
        (
            .read(.lookUpUsersByEmail(["ada@example.org", "nobody@example.org"])),
            .users([
                .user(
                    UserIdentity(
                        userRecordName: ada,
                        nameComponents: NameComponents(givenName: "Ada", familyName: "Example"),
                        lookupInfo: .emailAddress("ada@example.org"))),
                .failure(
                    .emailAddress("nobody@example.org"),
                    CloudError(.notFound, reason: "user not found")),
            ]),
            #"{"users":[{"userRecordName":"\#(ada)","firstName":"Ada","lastName":"Example","#
                + #""emailAddress":"ada@example.org"},{"emailAddress":"nobody@example.org","#
                + #""uuid":"U","serverErrorCode":"NOT_FOUND","reason":"user not found"}]}"#
        ),
        (
            .write(
                .uploadAssets(
                    AssetUploadRequest([
                        AssetUploadRequest.Token(
                            recordType: "Entry", fieldName: "photo", recordName: "entry-1"),
                        AssetUploadRequest.Token(recordType: "Entry", fieldName: "title"),
                    ]))),
            .assetUploads([
                .address(
                    AssetField("entry-1", "photo"), url: "https://localhost:8443/upload/7d1f2c"),
                .failure(
                    AssetField("", "title"), CloudError(.badRequest, reason: "not an asset")),
            ]),
            #"{"tokens":[{"recordName":"entry-1","fieldName":"photo","#
                + #""url":"https://localhost:8443/upload/7d1f2c"},"#
                + #"{"recordName":"","fieldName":"title","uuid":"U","#
                + #""serverErrorCode":"BAD_REQUEST","reason":"not an asset"}]}"#
        ),
        (
            .write(.rereferenceAssets(AssetRereferenceRequest([AssetField("entry-1", "photo")]))),
            .assets([.asset(AssetField("entry-1", "photo"), storedAsset)]),
            #"{"assets":[\#(storedAssetJSON)],"tokens":[\#(storedAssetJSON)]}"#
        ),
        (
            .write(.createToken(.development, clientID: nil)),
            .pushToken(
                PushToken("dG9rZW4=", .development, courierURL: "https://localhost/courier?tok=t")),
            #"{"apnsEnvironment":"development","apnsToken":"dG9rZW4=","#
                + #""webcourierURL":"https://localhost/courier?tok=t"}"#
        ),
        (.write(.restrict), .done, "{}"),
    ]

    private static var storedAsset: Asset {
        var asset = Asset(fileChecksum: "Ab1rHr4NS5sGAbr0GbWNs5cJ2g0e", size: 1843)
        asset.referenceChecksum = "AaT0Yh3cPqVvJxk2m9fW8sZ1yQ7u"
        asset.wrappingKey = "c2VjcmV0LXdyYXBwaW5nLWtleQ=="
        asset.receipt = "cmVjZWlwdC0y"
        return asset
    }
    private static let storedAssetJSON =
        #"{"recordName":"entry-1","fieldName":"photo","#
        + #""fileChecksum":"Ab1rHr4NS5sGAbr0GbWNs5cJ2g0e","size":1843,"#
        + #""referenceChecksum":"AaT0Yh3cPqVvJxk2m9fW8sZ1yQ7u","#
        + #""wrappingKey":"c2VjcmV0LXdyYXBwaW5nLWtleQ==","receipt":"cmVjZWlwdC0y"}"#

    @Test func `the answer to an asset's bytes is what becomes its field's value`() throws {
        var writer = ReplyWriter { "U" }
        let members = Self.storedAssetJSON.dropFirst(
            #"{"recordName":"entry-1","fieldName":"photo","#.count)
        #expect(
            String(decoding: writer.write(Self.storedAsset).body, as: UTF8.self)
                == #"{"singleFile":{"# + members + "}")
    }

    @Test(arguments: zoneReplies + otherReplies)
    func `a reply is written as documented and read back`(
        command: CloudCommand, reply: CloudReply, body: String
    ) throws {
        var writer = ReplyWriter { "U" }
        let response = writer.write(reply, to: WireOperation(command), caller: "_caller")
        #expect(String(decoding: response.body, as: UTF8.self) == body)
        #expect(response.status == (reply.failedAtomically ? 400 : 200))
        #expect(
            try ReplyReader.read(Array(body.utf8), status: response.status, to: command) == reply)
    }

    @Test func `a zone without an owner is the caller's`() throws {
        var writer = ReplyWriter { "U" }
        let mine = RecordZone(id: RecordZone.ID("Mine"), isAtomic: true)
        let response = writer.write(
            .zones([.zone(mine)]), to: .lookUpZones, caller: "_me")
        let body =
            #"{"zones":[{"zoneID":{"zoneName":"Mine","ownerRecordName":"_me","#
            + #""zoneType":"REGULAR_CUSTOM_ZONE"},"atomic":true}]}"#
        #expect(String(decoding: response.body, as: UTF8.self) == body)
    }

    @Test func `the older change feed has its one page at the top`() {
        var writer = ReplyWriter { "U" }
        let page = ZoneChangesPage(
            zoneID: Self.zone, records: [], token: ChangeToken("AQ=="), moreComing: false)
        let response = writer.write(.zoneChanges([.page(page)]), to: .recordChanges, caller: "_c")
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == #"{"records":[],"syncToken":"AQ==","moreComing":false}"#)
        let failure = writer.write(
            .zoneChanges([.failure(Self.gone, Self.zoneNotFound)]), to: .recordChanges,
            caller: "_c")
        #expect(failure.status == 404)
    }

    @Test func `queries and lookups tell the zone's token only when asked`() {
        var writer = ReplyWriter { "U" }
        let page = CloudReply.recordPage(RecordPage(records: [], token: ChangeToken("AQ==")))
        func body(_ asked: Bool) -> String {
            let options = WireOptions(currentSyncTokenAsked: asked)
            let response = writer.write(
                page, to: .queryRecords, caller: "_c", options: options)
            return String(decoding: response.body, as: UTF8.self)
        }
        #expect(body(false) == #"{"records":[]}"#)
        #expect(body(true) == #"{"records":[],"syncToken":"AQ=="}"#)
    }

    @Test func `numbers are sent as strings when asked, but not inside locations`() {
        var record = Self.record
        var place = Location(latitude: 1.5, longitude: 2)
        place.timestamp = Timestamp(milliseconds: 7)
        record.fields = [
            "d": Field(.double(0.5)), "i": Field(.int64(.max)),
            "l": Field(.list(.int64, [.int64(1)])), "p": Field(.location(place)),
        ]
        var writer = ReplyWriter { "U" }
        let response = writer.write(
            .recordPage(RecordPage(records: [.record(record)])), to: .queryRecords,
            caller: "_c", options: WireOptions(numbersAsStrings: true))
        let fields =
            #""fields":{"d":{"value":"0.5","type":"DOUBLE"},"#
            + #""i":{"value":"9223372036854775807","type":"INT64"},"#
            + #""l":{"value":["1"],"type":"INT64_LIST"},"#
            + #""p":{"value":{"latitude":1.5,"longitude":2.0,"timestamp":7},"type":"LOCATION"}}"#
        #expect(String(decoding: response.body, as: UTF8.self).contains(fields))
    }
}

extension CloudReply {
    fileprivate var failedAtomically: Bool {
        if case .records(let reply) = self { reply.failedAtomically } else { false }
    }
}
