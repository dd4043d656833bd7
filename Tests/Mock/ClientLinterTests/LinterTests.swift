import Basics
import ClientLinter
import CloudModel
import Testing

/// The linter as a value: which requests break a rule, which two prove it, and which do not.
struct LinterTests {
    private typealias Rule = ClientFinding.Rule

    /// A client that sends one request after the other.
    private struct Client {
        var linter = Linter()
        var number = 0
        var time: Int64 = 1_000_000
        var name = ClientName(session: "ann/phone", user: "ann", device: "phone")
        var scope = Database.Scope.private

        @discardableResult
        mutating func send(
            _ command: CloudCommand?, _ outcome: ClientExchange.Outcome,
            _ change: (inout ClientExchange) -> Void = { _ in }
        ) -> Int {
            number += 1
            time += 10
            var exchange = ClientExchange(
                number: number, client: name,
                address: Container.ID("iCloud.com.example.notes").map {
                    Database.Address(container: $0, environment: .development, scope: scope)
                },
                command: command,
                outcome: outcome, at: Timestamp(milliseconds: time))
            exchange.arrivedUptime = time * 1_000_000
            exchange.answeredUptime = time * 1_000_000
            exchange.digest = UInt64(bitPattern: Int64(command.hashValue))
            change(&exchange)
            linter.note(exchange)
            return number
        }

        /// Reads a zone's feed.
        @discardableResult
        mutating func read(
            _ asked: String?, gets given: String?, _ count: Int = 1, more: Bool = false,
            zone: String = "Notes", of owner: String? = nil
        ) -> Int {
            let id = RecordZone.ID(zone, ownerRecordName: owner)
            let request = ZoneChangesRequest(zoneID: id, token: asked.map { ChangeToken($0) })
            let item: ZoneChangesItem =
                if let given {
                    .page(
                        ZoneChangesPage(
                            zoneID: id,
                            records: (0..<count).map {
                                .deleted(recordName: "r\($0)", recordChangeTag: nil)
                            }, token: ChangeToken(given), moreComing: more))
                } else {
                    .failure(id, CloudError(.badRequest, reason: "client knowledge differs"))
                }
            return send(.read(.zoneChanges([request])), .reply(.zoneChanges([item])))
        }

        /// Changes records, each with its error or none.
        @discardableResult
        mutating func modify(
            _ items: [(RecordOperation, CloudError.Code?)], zone: String = "Notes"
        ) -> Int {
            let request = RecordModifyRequest(
                operations: items.map { $0.0 }, zoneID: RecordZone.ID(zone))
            let answers = items.map { operation, code -> Record.Item in
                let name = operation.recordName ?? "made"
                return code.map { Record.Item.failure(recordName: name, CloudError($0)) }
                    ?? .deleted(recordName: name, recordChangeTag: nil)
            }
            return send(
                .write(.modifyRecords(request)), .reply(.records(RecordsReply(records: answers))))
        }

        mutating func zones(
            _ operation: RecordZone.Operation, _ item: RecordZone.Item
        ) { send(.write(.modifyZones([operation])), .reply(.zones([item]))) }

        /// Reads the database's feed, which tells of a zone.
        @discardableResult
        mutating func hear(of zone: RecordZone.Item) -> Int {
            let page = ZonePage(zones: [zone], token: ChangeToken("d\(number)"), moreComing: false)
            return send(
                .read(.databaseChanges(token: nil, limit: nil)), .reply(.zonePage(page)))
        }

        /// Rules with their proofs.
        func found(final: Bool = false) -> [String] {
            linter.findings(final: final).map {
                "\($0.rule.rawValue) \($0.requests.map(String.init).joined(separator: " "))"
            }
        }
    }

    private static let notes = RecordZone.ID("Notes")
    private static func save(
        _ kind: RecordOperation.Kind = .update, _ name: String? = "a"
    ) -> RecordOperation { RecordOperation(kind, recordName: name, recordType: "Note") }
    private static func live(_ id: RecordZone.ID = notes) -> RecordZone.Item {
        .zone(RecordZone(id: id, isAtomic: true))
    }

    // MARK: - Feeds

    @Test func `an older token than one in use is found, with the request that had the newer`() {
        var client = Client()
        client.read(nil, gets: "t1")
        client.read("t1", gets: "t2")
        client.read("t2", gets: "t2")
        #expect(client.found() == [])
        client.read("t1", gets: "t2")
        #expect(client.found() == ["old-token 3 4"])
        #expect(client.linter.findings()[0].zoneName == "Notes")
        #expect(client.linter.findings()[0].message.contains("Request 3 had a newer token"))
    }

    @Test func `a token that is older by several pages is found too`() {
        var client = Client()
        client.read(nil, gets: "t1", more: true)
        for page in 1...5 { client.read("t\(page)", gets: "t\(page + 1)", more: page < 5) }
        client.read("t6", gets: "t6")
        client.read("t2", gets: "t3", more: true)
        #expect(client.found() == ["old-token 4 8"])
    }

    @Test func `who sends the same again, begins anew or reads another zone loses nothing`() {
        var client = Client()
        client.read(nil, gets: "t1", more: true)
        client.read("t1", gets: "t2")
        // The answer did not arrive.
        client.read("t1", gets: "t2")
        client.read("t2", gets: "t2")
        client.read("t2", gets: nil)
        // From the beginning, over the same pages.
        client.read(nil, gets: "t1", more: true)
        client.read("t1", gets: "t2")
        client.read("t1", gets: "t2", zone: "Other")
        client.read("t2", gets: "t3", zone: "Other")
        #expect(client.found(final: true) == [])
    }

    @Test func `two scans that overlap from the beginning are no loss`() {
        var client = Client()
        client.read(nil, gets: "t1", more: true)
        client.read("t1", gets: "t2", more: true)
        client.read("t2", gets: "t3", more: true)
        client.read(nil, gets: "t1", more: true)
        client.read("t3", gets: "t4")
        client.read("t1", gets: "t2", more: true)
        client.read("t2", gets: "t3", more: true)
        client.read("t3", gets: "t4")
        #expect(client.found(final: true) == [])
    }

    @Test func `another client of the same user has its own place`() {
        var client = Client()
        client.read(nil, gets: "t1")
        client.read("t1", gets: "t2")
        client.read("t2", gets: "t2")
        client.name = ClientName(session: "ann/desk", user: "ann", device: "desk")
        client.read(nil, gets: "t1")
        client.read("t1", gets: "t2")
        #expect(client.found(final: true) == [])
    }

    @Test(arguments: [Database.Scope.private, .shared])
    func `zones of one name are one zone but of other people's`(scope: Database.Scope) {
        var client = Client()
        client.scope = scope
        client.read(nil, gets: "t1", of: "_a")
        client.read("t1", gets: "t2", of: "_a")
        client.read("t2", gets: "t2", of: "_a")
        client.read("t1", gets: "t2", of: "_b")
        #expect(client.found() == (scope == .shared ? [] : ["old-token 3 4"]))
    }

    @Test func `who stops at an empty page with more to come is found once it has ended`() {
        var client = Client()
        client.read(nil, gets: "t1", 0, more: true)
        #expect(client.found(final: true) == ["stopped-early 1"])
        client.send(.read(.caller), .reply(.done))
        #expect(client.found() == [])
        #expect(client.found(final: true) == ["stopped-early 1 2"])
        client.read("t1", gets: "t2", 0)
        #expect(client.found(final: true) == [])
    }

    @Test func `who leaves an empty page for another token is found at once`() {
        var client = Client()
        client.read(nil, gets: "t1")
        client.read("t1", gets: "t2", 0, more: true)
        client.read("t9", gets: "t9")
        #expect(client.found() == ["stopped-early 2 3"])
    }

    @Test func `a page with records, or that is asked for again, is no stop`() {
        var client = Client()
        client.read(nil, gets: "t1", 2, more: true)
        client.read("t1", gets: "t2", 0, more: true)
        client.read("t1", gets: "t2", 0, more: true)
        client.read("t2", gets: "t3", 0, more: false)
        #expect(client.found(final: true) == [])
    }

    // MARK: - Waiting

    @Test(
        arguments: [
            (100, 100, true), (899, 899, true), (901, 0, false), (0, 901, false),
            (1000, 1000, false),
        ] as [(Int64, Int64, Bool)])
    func `a request that comes again before retryAfter is found, by both clocks`(
        clock: Int64, uptime: Int64, isEarly: Bool
    ) {
        var client = Client()
        let command = CloudCommand.read(.listZones(token: nil))
        client.send(command, .failure(CloudError(.throttled, retryAfter: .seconds(1))))
        let (answered, uptimeThen) = (client.time, client.time * 1_000_000)
        client.send(command, .reply(.done)) {
            $0.arrived = Timestamp(milliseconds: answered + clock)
            $0.arrivedUptime = uptimeThen + uptime * 1_000_000
        }
        #expect(client.found() == (isEarly ? ["retried-early 1 2"] : []))
    }

    @Test func `another request meanwhile is none that came again`() {
        var client = Client()
        let refusal = CloudError(.tryAgainLater, retryAfter: .seconds(30))
        client.send(.read(.listZones(token: nil)), .failure(refusal))
        client.send(.read(.caller), .reply(.done))
        client.send(.read(.caller), .failure(CloudError(.tryAgainLater)))
        client.send(.read(.caller), .reply(.done))
        #expect(client.found() == [])
    }

    // MARK: - Writes

    @Test func `records without names that are created again after a lost answer are found`() {
        var client = Client()
        let request = RecordModifyRequest(
            operations: [Self.save(.create, nil)], zoneID: Self.notes)
        let create = CloudCommand.write(.modifyRecords(request))
        client.send(create, .lost)
        client.send(create, .reply(.records(RecordsReply(records: []))))
        #expect(client.found() == ["resent-write 1 2"])
        // Once there is an answer, the same again is another wish.
        client.send(create, .reply(.records(RecordsReply(records: []))))
        #expect(client.linter.findings().map(\.times) == [1])
    }

    @Test func `who looks first, or whose records have names, can send again`() {
        var client = Client()
        func create(_ name: String?) -> CloudCommand {
            .write(
                .modifyRecords(
                    RecordModifyRequest(
                        operations: [Self.save(.create, name)], zoneID: Self.notes)))
        }
        client.send(create(nil), .lost)
        client.read(nil, gets: "t1")
        client.send(create(nil), .reply(.records(RecordsReply(records: []))))
        client.send(create("a"), .lost)
        client.send(create("a"), .reply(.records(RecordsReply(records: []))))
        #expect(client.found() == [])
    }

    @Test(arguments: [CloudError.Code.conflict, .throttled, .tryAgainLater, .internalError])
    func `items that failed and that nobody came back to are found in the end`(
        code: CloudError.Code
    ) {
        var client = Client()
        client.modify([(Self.save(.create, "a"), nil), (Self.save(.update, "b"), code)])
        client.modify([(Self.save(.create, "c"), nil)])
        client.read(nil, gets: "t", zone: "Other")
        #expect(client.found() == [])
        #expect(client.found(final: true) == ["ignored-error 1 3"])
    }

    @Test(arguments: 0..<4)
    func `who retries, looks up or reads the zone has not ignored it`(way: Int) {
        var client = Client()
        client.modify([
            (Self.save(.update, "b"), .conflict), (Self.save(.update, "c"), .atomicError),
        ])
        switch way {
        case 0: client.modify([(Self.save(.forceUpdate, "b"), nil)])
        case 1:
            client.send(
                .read(
                    .lookUpRecords(RecordLookupRequest(recordNames: ["b"], zoneID: Self.notes))),
                .reply(.records(RecordsReply(records: []))))
        case 2: client.read(nil, gets: "t")
        default: client.zones(.delete(Self.notes), .deleted(Self.notes))
        }
        #expect(client.found(final: true) == [])
    }

    @Test(arguments: [CloudError.Code.accessDenied, .notFound, .badRequest, .quotaExceeded])
    func `what failed for good can be left`(code: CloudError.Code) {
        var client = Client()
        client.modify([(Self.save(), code)])
        client.send(.read(.caller), .reply(.done))
        #expect(client.found(final: true) == [])
    }

    @Test func `the sixth conflict of a record in a row is found, once`() {
        var client = Client()
        for _ in 1...5 { client.modify([(Self.save(), .conflict)]) }
        #expect(client.found() == [])
        for _ in 1...3 { client.modify([(Self.save(), .conflict)]) }
        #expect(client.found() == ["conflict-loop 1 6"])
        client.modify([(Self.save(), nil)])
        for _ in 1...5 { client.modify([(Self.save(), .conflict)]) }
        #expect(client.linter.findings().map(\.times) == [1])
        client.modify([(Self.save(), .conflict)])
        #expect(client.linter.findings().map(\.times) == [2])
    }

    // MARK: - Zones

    @Test(arguments: [RecordZone.DeletionReason.deleted, .purged])
    func `a zone that somebody else deleted and the client makes again is found`(
        reason: RecordZone.DeletionReason
    ) {
        var client = Client()
        client.hear(of: .deleted(Self.notes, reason: reason))
        client.zones(.create(Self.notes), Self.live())
        #expect(client.found() == ["recreated-zone 1 2"])
    }

    @Test func `who hears of it from a refused save has been told too`() {
        var client = Client()
        let purged = CloudError(
            .zoneNotFound, reason: RecordZone.DeletionReason.purged.errorReason)
        let request = RecordModifyRequest(operations: [Self.save()], zoneID: Self.notes)
        client.send(
            .write(.modifyRecords(request)),
            .reply(.records(RecordsReply(records: [.failure(recordName: "a", purged)]))))
        client.zones(.create(Self.notes), Self.live())
        #expect(client.found() == ["recreated-zone 1 2"])
    }

    @Test func `a zone can be made that is new, one's own, lost with its keys, or there again`() {
        var client = Client()
        let missing = CloudError(
            .zoneNotFound, reason: RecordZone.DeletionReason.deleted.errorReason)
        client.zones(.create(RecordZone.ID("New")), Self.live(RecordZone.ID("New")))
        client.send(
            .read(.lookUpZones([Self.notes])), .reply(.zones([.failure(Self.notes, missing)])))
        client.zones(.create(Self.notes), Self.live())
        client.zones(.delete(Self.notes), .deleted(Self.notes))
        client.hear(of: .deleted(Self.notes))
        client.zones(.create(Self.notes), Self.live())
        let lost = RecordZone.ID("Lost")
        client.hear(of: .deleted(lost, reason: .encryptedDataReset))
        client.zones(.create(lost), Self.live(lost))
        let again = RecordZone.ID("Again")
        client.hear(of: .deleted(again))
        client.hear(of: Self.live(again))
        client.zones(.create(again), Self.live(again))
        #expect(client.found(final: true) == [])
    }

    // MARK: - What is kept

    @Test func `the same again is counted, and its first proof stays`() {
        var client = Client()
        for _ in 0..<3 {
            client.send(nil, .failure(CloudError(.badRequest))) {
                $0.remarks = [.unknownKey("recordNam", nearest: "recordName")]
            }
        }
        let findings = client.linter.findings()
        #expect(findings.map(\.times) == [3] && findings[0].requests == [1])
        #expect(findings[0].message.contains("nearest: recordName"))
        #expect(findings[0].number == 1)
    }

    @Test func `only so many findings and clients are kept, and the rest is counted`() {
        var client = Client()
        for number in 0..<(Linter.findingsMax + 7) {
            client.name.session = "client \(number)"
            client.send(nil, .lost) { $0.remarks = [.emptyToken("syncToken")] }
        }
        #expect(client.linter.findings().count == Linter.findingsMax)
        #expect(client.linter.report(final: false).dropped == 7)
        client.linter.removeAll()
        let report = client.linter.report(final: true)
        #expect(report.findings.isEmpty && report.dropped == 0)
    }

    @Test func `what is found in the end and not kept is counted too`() {
        var client = Client()
        client.modify([(Self.save(.update, "b"), .conflict)])
        client.name.session = "another"
        for number in 0..<Linter.findingsMax {
            client.send(nil, .lost) { $0.remarks = [.unknownKey("\(number)", nearest: nil)] }
        }
        #expect(client.linter.report(final: false).dropped == 0)
        let report = client.linter.report(final: true)
        #expect(report.findings.count == Linter.findingsMax && report.dropped == 1)
    }

    @Test func `of too many clients those go that were silent longest`() {
        var client = Client()
        let first = client.name
        func others(_ numbers: Range<Int>) {
            for number in numbers {
                client.name.session = "client \(number)"
                client.send(.read(.caller), .reply(.done))
            }
            client.name = first
        }
        client.read(nil, gets: "t1")
        client.read("t1", gets: "t2")
        others(0..<Linter.clientsMax - 1)
        client.read("t2", gets: "t2")
        // The first of the others goes.
        others(Linter.clientsMax..<Linter.clientsMax + 1)
        client.read("t1", gets: "t2")
        #expect(client.found().count == 1)
        others(0..<Linter.clientsMax)
        client.read("t1", gets: "t2")
        #expect(client.linter.findings().map(\.times) == [1])
    }

    @Test func `a client that sends without end is remembered within bounds`() {
        var client = Client()
        for number in 0..<3000 {
            client.read("t\(number)", gets: "t\(number + 1)", more: true)
        }
        // So old that it is forgotten: nothing is found, and nothing is made up.
        client.read("t1", gets: "t2", more: true)
        #expect(client.found() == [])
        client.read("t2999", gets: "t3000", more: true)
        #expect(client.found().isEmpty)
    }

    @Test func `every rule says what is wrong and what to do instead, in a sentence`() {
        for rule in Rule.allCases {
            #expect(rule.about.hasSuffix(".") && rule.remedy.hasSuffix("."))
            #expect(rule.about.first?.isUppercase == true && rule.about.utf8.count < 100)
        }
    }
}
