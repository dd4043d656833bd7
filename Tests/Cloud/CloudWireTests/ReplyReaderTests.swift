import CloudModel
import CloudWire
import Testing

/// What answers may look like otherwise than documented, and what is not believed.
struct ReplyReaderTests {
    static func read(
        _ body: String, status: Int = 200, retryAfter: String? = nil, to command: CloudCommand
    ) throws -> CloudReply {
        try ReplyReader.read(
            Array(body.utf8), status: status, retryAfterHeader: retryAfter, to: command)
    }
    static let zoneA = RecordZone.ID("A")
    static let zoneB = RecordZone.ID("B")
    static let deletion = CloudCommand.write(.modifyZones([.delete(zoneA), .delete(zoneB)]))
    static let deletedA = #"{"zoneID":{"zoneName":"A"},"deleted":true}"#
    static let deletedB = #"{"zoneID":{"zoneName":"B"},"deleted":true}"#
    static let recordDeletion = CloudCommand.write(
        .modifyRecords(
            RecordModifyRequest(
                operations: [.forceDelete("a"), .forceDelete("b")], zoneID: zoneA)))

    @Test(arguments: [
        ("", 200), ("<html>", 200), ("[]", 200), ("null", 200), ("{}", 200),
        ("{\"zones\":null}", 200),
        ("{\"zones\":{}}", 200), ("{\"zones\":[]}", 200), ("{\"zones\":[\(deletedA)]}", 200),
        ("{\"zones\":[\(deletedA),\(deletedA)]}", 200),
        ("{\"zones\":[\(deletedA),{\"zoneID\":{\"zoneName\":\"C\"},\"deleted\":true}]}", 200),
        ("{\"zones\":[\(deletedA),\(deletedB),\(deletedB)]}", 200),
        ("{\"zones\":[\(deletedA),7]}", 200), ("{\"zones\":[\(deletedA),\(deletedB)", 200),
        ("{\"zones\":[\(deletedA),\(deletedB)]}", 500), ("<html>", 502), ("", 404),
        ("{\"zones\":[\(deletedA),\(deletedB)]}", 302), ("{\"error\":\"x\"}", 400),
    ])
    func `what does not answer the deletion is never believed`(body: String, status: Int) throws {
        let error = try #require(throws: CloudError.self) {
            _ = try Self.read(body, status: status, to: Self.deletion)
        }
        #expect(error.code == .unexpectedResponse && error.httpStatus == status)
    }

    @Test func `items in another order are put into the order of the request`() throws {
        let reply = try Self.read(
            "{\"zones\":[\(Self.deletedB),\(Self.deletedA)]}", to: Self.deletion)
        #expect(reply == .zones([.deleted(Self.zoneA), .deleted(Self.zoneB)]))
        let records = try Self.read(
            #"{"records":[{"recordName":"b","deleted":true},"#
                + #"{"recordName":"a","serverErrorCode":"NOT_FOUND","reason":"r"}]}"#,
            to: Self.recordDeletion)
        #expect(
            records
                == .records(
                    RecordsReply(records: [
                        .failure(recordName: "a", CloudError(.notFound, reason: "r")),
                        .deleted(recordName: "b", recordChangeTag: nil),
                    ])))
    }

    @Test func `a deletion counts only when the item says deleted`() throws {
        let reply = try Self.read(
            "{\"zones\":[{\"zoneID\":{\"zoneName\":\"A\"}},\(Self.deletedB)]}", to: Self.deletion)
        guard case .zones(let items) = reply, case .failure(_, let error) = items[0] else {
            Issue.record("\(reply)")
            return
        }
        #expect(error.code == .unexpectedResponse && items[1] == .deleted(Self.zoneB))
        let live = #"{"recordName":"a","recordType":"T","deleted":false}"#
        let records = try Self.read(
            #"{"records":[\#(live),{"recordName":"b","deleted":true}]}"#, to: Self.recordDeletion)
        guard case .records(let answer) = records, case .failure = answer.records[0] else {
            Issue.record("\(records)")
            return
        }
    }

    @Test func `an item for another owner's zone is not ours`() throws {
        let mine = CloudCommand.write(
            .modifyZones([
                .delete(RecordZone.ID("A", ownerRecordName: "_me"))
            ]))
        let body =
            #"{"zones":[{"zoneID":{"zoneName":"A","ownerRecordName":"_you"},"deleted":true}]}"#
        #expect(throws: CloudError.self) { _ = try Self.read(body, to: mine) }
    }

    @Test func `items beside an error of the whole request are none`() throws {
        let failure = #"{"serverErrorCode":"ACCESS_DENIED","reason":"r","#
        let records =
            #""records":[{"recordName":"a","deleted":true},{"recordName":"b","deleted":true}]}"#
        for (status, items, command) in [
            (200, "\"zones\":[\(Self.deletedA),\(Self.deletedB)]}", Self.deletion),
            (200, records, Self.recordDeletion), (400, records, Self.recordDeletion),
        ] {
            let error = try #require(throws: CloudError.self) {
                _ = try Self.read(failure + items, status: status, to: command)
            }
            #expect(error.code == .accessDenied)
        }
    }

    @Test func `nothing of a failed batch counts as done`() throws {
        let body =
            #"{"serverErrorCode":"ATOMIC_ERROR","records":[{"recordName":"a","deleted":true},"#
            + #"{"recordName":"b","serverErrorCode":"CONFLICT","reason":""}]}"#
        let reply = try Self.read(body, status: 400, to: Self.recordDeletion)
        guard case .records(let answer) = reply else { return }
        #expect(answer.failedAtomically)
        #expect(answer.records[0] == .failure(recordName: "a", CloudError(.atomicError)))
        #expect(answer.records[1] == .failure(recordName: "b", CloudError(.conflict)))
    }

    @Test(arguments: [
        (500, ""), (400, ""), (400, #""serverErrorCode":"ATOMIC_ERROR","#),
        (503, #""serverErrorCode":"TRY_AGAIN_LATER","#),
    ])
    func `deletions in a failed answer are not believed`(status: Int, code: String) {
        let items = #"{"recordName":"a","deleted":true},{"recordName":"b","deleted":true}"#
        #expect(throws: CloudError.self) {
            _ = try Self.read(
                "{\(code)\"records\":[\(items)]}", status: status, to: Self.recordDeletion)
        }
    }

    @Test(arguments: [
        (#"{"serverErrorCode":"ATOMIC_ERROR","reason":"x"}"#, CloudError.Code.atomicError),
        (#"{"records":[{"serverErrorCode":"ACCESS_DENIED","reason":"x"}]}"#, .accessDenied),
        (#"{"serverErrorCode":"PLEASE_WAIT"}"#, .unknown), (#"{"serverErrorCode":7}"#, .unknown),
        (#"{"serverErrorCode":"CANCELLED"}"#, .unknown),
    ])
    func `errors of the whole request are found`(body: String, code: CloudError.Code) throws {
        let error = try #require(throws: CloudError.self) {
            _ = try Self.read(body, status: 400, to: Self.recordDeletion)
        }
        #expect(error.code == code)
    }

    @Test(arguments: CloudError.Code.allCases.filter(\.isServiceCode))
    func `every service code travels with its status`(code: CloudError.Code) throws {
        var writer = ReplyWriter { "8A6F5B0A-93A6-4F1F-9B57-0C2F5F4E0D11" }
        let sent = CloudError(
            code, reason: "why", retryAfter: .seconds(30), redirectURL: "https://localhost/a")
        let response = writer.write(sent)
        #expect(response.status == code.httpStatus && response.retryAfterSeconds == 30)
        let error = try #require(throws: CloudError.self) {
            _ = try ReplyReader.read(response.body, status: response.status, to: .read(.caller))
        }
        #expect(
            error
                == CloudError(
                    code, reason: "why", retryAfter: .seconds(30),
                    redirectURL: "https://localhost/a", httpStatus: code.httpStatus))
    }

    @Test(
        arguments: [
            ("ZONE_NOT_FOUND", "Zone does not exist", .deleted),
            ("ZONE_NOT_FOUND", "Zone was purged by user", .purged),
            (
                "ZONE_NOT_FOUND", "Zone was lost when the user reset encrypted data",
                .encryptedDataReset
            ),
            ("ZONE_NOT_FOUND", "other words", .deleted), ("NOT_FOUND", "Zone does not exist", nil),
            ("NOT_FOUND", "Zone was purged by user", nil),
        ] as [(String, String, RecordZone.DeletionReason?)])
    func `the reason of a zone's deletion is read from the error's words`(
        code: String, words: String, expected: RecordZone.DeletionReason?
    ) throws {
        let error = try #require(throws: CloudError.self) {
            _ = try Self.read(
                #"{"serverErrorCode":"\#(code)","reason":"\#(words)"}"#, status: 404,
                to: .read(.caller))
        }
        #expect(error.zoneDeletionReason == expected)
    }

    @Test func `a deletion whose reason is not known is a plain one`() throws {
        let body =
            #"{"zones":["#
            + #"{"zoneID":{"zoneName":"A"},"deleted":true,"deletionReason":"purged"},"#
            + #"{"zoneID":{"zoneName":"B"},"deleted":true,"deletionReason":"nobodyKnows"},"#
            + #"{"zoneID":{"zoneName":"C"},"deleted":true,"deletionReason":7},"#
            + #"{"zoneID":{"zoneName":"D"},"deleted":true}],"syncToken":"t","moreComing":false}"#
        let reply = try Self.read(body, to: .read(.databaseChanges(token: nil, limit: nil)))
        guard case .zonePage(let page) = reply else {
            Issue.record("another reply: \(reply)")
            return
        }
        let zones = ["A", "B", "C", "D"].map { RecordZone.ID($0) }
        let plain = zones.dropFirst().map { RecordZone.Item.deleted($0) }
        #expect(page.zones == [.deleted(zones[0], reason: .purged)] + plain)
    }

    @Test func `the service's table of codes and statuses is ours`() {
        let table: [CloudError.Code: Int] = [
            .accessDenied: 403, .atomicError: 400, .authenticationFailed: 401,
            .authenticationRequired: 421, .badRequest: 400, .conflict: 409, .exists: 409,
            .internalError: 500, .notFound: 404, .quotaExceeded: 413, .throttled: 429,
            .tryAgainLater: 503, .validatingReferenceError: 412, .zoneNotFound: 404,
        ]
        for code in CloudError.Code.allCases { #expect(table[code] == code.httpStatus) }
    }

    @Test(arguments: CloudError.Code.allCases.filter { !$0.isServiceCode })
    func `codes of our own never reach the wire`(code: CloudError.Code) {
        var writer = ReplyWriter { "U" }
        let response = writer.write(CloudError(code, reason: "r"))
        #expect(response.status == 500)
        let body = #"{"uuid":"U","serverErrorCode":"INTERNAL_ERROR","reason":"r"}"#
        #expect(String(decoding: response.body, as: UTF8.self) == body)
    }

    @Test(
        arguments: [
            ("30", nil, 30_000), ("30.25", nil, 30_250), (#""7""#, nil, 7000),
            (#""0.5""#, nil, 500),
            ("5", "9", 9000), ("9", "5", 9000), (nil, "12", 12_000), (nil, " 2.5", 2500),
            (nil, "Wed, 21 Oct 2026 07:28:00 GMT", nil), ("-4", nil, 0),
            ("110207", nil, 110_207_000),
            ("1e300", nil, 315_360_000_000), ("true", nil, nil), (#""soon""#, nil, nil),
            (nil, nil, nil), (nil, "", nil),
        ] as [(String?, String?, Int?)])
    func `the longer of both waits counts`(body: String?, header: String?, expected: Int?) throws {
        let wait = body.map { ",\"retryAfter\":\($0)" } ?? ""
        let error = try #require(throws: CloudError.self) {
            _ = try Self.read(
                #"{"serverErrorCode":"THROTTLED","reason":""\#(wait)}"#, status: 429,
                retryAfter: header, to: .read(.caller))
        }
        #expect(error.retryAfter == expected.map { .milliseconds($0) })
    }

    @Test(arguments: [
        (429, CloudError.Code.throttled), (503, .tryAgainLater), (500, .unexpectedResponse),
    ])
    func `a proxy's refusal is known by its status`(status: Int, code: CloudError.Code) throws {
        let error = try #require(throws: CloudError.self) {
            _ = try Self.read("<h1>busy</h1>", status: status, retryAfter: "3", to: Self.deletion)
        }
        #expect(error.code == code && error.retryAfter == .seconds(3))
    }

    @Test func `waits of part of a second stay out of the header`() {
        var writer = ReplyWriter { "U" }
        let response = writer.write(CloudError(.throttled, retryAfter: .milliseconds(250)))
        #expect(response.retryAfterSeconds == nil)
        #expect(String(decoding: response.body, as: UTF8.self).contains(#""retryAfter":0.25"#))
    }

    @Test func `reasons are fit for a terminal`() throws {
        let error = try #require(throws: CloudError.self) {
            let reason = #"a\u001b[31mb\nc"# + String(repeating: "x", count: 2000)
            _ = try Self.read(
                #"{"serverErrorCode":"BAD_REQUEST","reason":"\#(reason)"}"#, status: 400,
                to: .read(.caller))
        }
        #expect(error.reason.hasPrefix("a [31mb c"))
        #expect(error.reason.count == WireLimits.reasonMax)
    }
}
