import CloudModel
import CloudWire
import Testing

/// Live answers differ from the documents; one odd field must not hide a record.
struct GenerousReadingTests {
    private func read(_ body: String, to command: CloudCommand) throws -> CloudReply {
        try ReplyReaderTests.read(body, to: command)
    }

    @Test func `a zone page without its optional keys is the last one`() throws {
        let reply = try read(
            #"{"zones":[{"zoneID":{"zoneName":"A"},"isSharable":true},"#
                + #"{"zoneID":{"zoneName":"_defaultZone"}}],"moreComing":null}"#,
            to: .read(.listZones(token: nil)))
        #expect(
            reply
                == .zonePage(
                    ZonePage(
                        zones: [
                            .zone(RecordZone(id: RecordZone.ID("A"), isAtomic: true)),
                            .zone(RecordZone(id: .default, isAtomic: false)),
                        ], token: nil, moreComing: false)))
    }

    @Test func `a modified record without a zone is in the request's`() throws {
        let request = RecordModifyRequest(
            operations: [RecordOperation(.update, recordName: "r")],
            zoneID: RecordZone.ID("A", ownerRecordName: "_me"))
        let reply = try read(
            #"{"records":[{"recordName":"r","recordType":"T"}]}"#,
            to: .write(.modifyRecords(request)))
        guard case .records(let answer) = reply, case .record(let record) = answer.records[0]
        else { return }
        #expect(record.id == Record.ID("r", zoneID: request.zoneID))
    }

    @Test(arguments: [
        (
            #"{"value":"AQI=","type":"ENCRYPTED_BYTES"}"#,
            Field(.bytes([1, 2]), isEncryptedByType: true)
        ),
        (#"{"value":[],"type":"UNKNOWN_LIST"}"#, Field(.list(.string, []), isTyped: false)),
        (#"{"value":{"a":[1,null]},"type":"SOMETHING_NEW"}"#, Field(.string(#"{"a":[1,null]}"#))),
        (#"{"value":"not base64!","type":"BYTES"}"#, Field(.string("not base64!"))),
        (#"{"value":"5","type":"INT64"}"#, Field(.int64(5))),
        (
            #"{"value":{"fileChecksum":"c"},"type":"ASSETID"}"#,
            Field(.asset(Asset(fileChecksum: "c", size: 0)))
        ),
        ("[1]", Field(.string("[1]"), isTyped: false)),
    ])
    func `odd fields are kept as well as can be`(json: String, expected: Field) throws {
        let reply = try read(
            #"{"records":[{"recordName":"r","recordType":"T","fields":{"f":\#(json),"g":null}}]}"#,
            to: .read(.queryRecords(RecordQueryRequest(query: Query(recordType: "T")))))
        guard case .recordPage(let page) = reply, case .record(let record) = page.records[0]
        else { return }
        #expect(record.fields == ["f": expected])
    }

    @Test func `tombstones of a feed are read with whatever they carry`() throws {
        let reply = try read(
            #"{"zones":[{"zoneID":{"zoneName":"A"},"syncToken":"AQ==","moreComing":true,"#
                + #""records":[{"recordName":"r","recordType":null,"deleted":true,"#
                + #""recordChangeTag":"9","fields":{}},"#
                + #"{"recordName":"s","serverErrorCode":"INTERNAL_ERROR"}]}]}"#,
            to: .read(.zoneChanges([ZoneChangesRequest(zoneID: RecordZone.ID("A"))])))
        guard case .zoneChanges(let items) = reply, case .page(let page) = items[0] else { return }
        #expect(page.moreComing)
        #expect(
            page.records == [
                .deleted(recordName: "r", recordChangeTag: "9"),
                .failure(recordName: "s", CloudError(.internalError)),
            ])
    }

    @Test func `a page of changes without a token is no page`() {
        #expect(throws: CloudError.self) {
            _ = try self.read(
                #"{"zones":[{"zoneID":{"zoneName":"A"},"records":[]}]}"#,
                to: .read(.zoneChanges([ZoneChangesRequest(zoneID: RecordZone.ID("A"))])))
        }
    }

    @Test(arguments: [
        #"{"userRecordName":"_a","nameComponents":{"givenName":"Ada"}}"#,
        #"{"users":[{"userRecordName":"_a","nameComponents":{"givenName":"Ada"}}]}"#,
        #"{"userRecordName":"_a","firstName":"Ada","lookupInfo":{}}"#,
    ])
    func `the caller is read in every shape`(body: String) throws {
        let expected = CloudReply.user(UserIdentity(userRecordName: "_a", givenName: "Ada"))
        #expect(try read(body, to: .read(.caller)) == expected)
        #expect(try read(body, to: .read(.currentUser)) == expected)
    }

    @Test func `odd subscriptions are listed so that they can be deleted`() throws {
        let reply = try read(
            #"{"subscriptions":[{"subscriptionID":"a","subscriptionType":"DATABASE"},"#
                + #"{"subscriptionID":"b"},{"subscriptionID":"c","subscriptionType":"new"},"#
                + #"{"subscriptionID":"d","subscriptionType":"query","firesOn":["never"]}]}"#,
            to: .read(.listSubscriptions))
        guard case .subscriptions(let items) = reply else { return }
        let names = items.map { item in
            if case .subscription(let made) = item { made.subscriptionID } else { "?" }
        }
        #expect(names == ["a", "b", "c", "d"])
    }

    @Test func `a deleted subscription is answered by its dictionary`() throws {
        let reply = try read(
            #"{"subscriptions":[{"subscriptionID":"a","subscriptionType":"zone"}]}"#,
            to: .write(.modifySubscriptions([.delete("a")])))
        #expect(reply == .subscriptions([.deleted("a")]))
    }

    @Test(arguments: ["", "{}", #"{"anything":1}"#])
    func `restricting is done whatever the body says`(body: String) throws {
        #expect(try read(body, to: .write(.restrict)) == .done)
    }

    @Test func `unless it is an error or no answer of the service`() {
        for body in ["<html>", #"{"serverErrorCode":"ACCESS_DENIED"}"#] {
            #expect(throws: CloudError.self) { _ = try self.read(body, to: .write(.restrict)) }
        }
    }
}
