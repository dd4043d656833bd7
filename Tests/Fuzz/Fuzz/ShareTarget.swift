import Basics
import CloudModel
import CloudWire
import InProcessMock
import MockStore

/// Share records, `records/resolve` and `records/accept`: an owner and a guest send any bodies, and then
/// the guest sees exactly what the list of participants says.
///
/// Each line is a request: the first byte says whose and which, the rest is its body. `$Z` stands for the
/// zone, `$O` for its owner, `$B` for the guest, `$G` for the last short GUID, and `@a` for the change tag
/// of the record "a", as `@z` does for the share of the zone.
func fuzzShares(_ input: [UInt8]) {
    let service = ShareService.next()
    defer { service.removeZone() }
    for line in input.split(separator: UInt8(ascii: "\n")).prefix(8) { service.send(Array(line)) }
    service.checkGuest()
}

/// A service with an owner and a guest, and a zone of its own for each input.
private final class ShareService: @unchecked Sendable {
    // Holds: libFuzzer calls on one thread.
    nonisolated(unsafe) private static var current = ShareService()
    private static let inputsMax = 500

    /// A service with a new zone; now and then all of it is new.
    static func next() -> ShareService {
        if current.inputs == inputsMax { current = ShareService() }
        current.makeZone()
        return current
    }

    private let cloud: MockCloud
    private var names: [String: String] = [:]
    private var inputs = 0
    private var tags: [String: String] = [:]
    private var guid = "none"
    private var writer = ReplyWriter { "00000000-0000-4000-8000-000000000000" }
    private var zoneName: String { "Z\(inputs)" }
    private static let container: Container.ID = {
        guard let container = Container.ID("iCloud.com.example.app") else { preconditionFailure() }
        return container
    }()

    private init() {
        do {
            cloud = try MockCloud(
                clock: WallClock { Timestamp(milliseconds: 1_770_000_000_000) },
                users: ["ann", "bob"])
        } catch { preconditionFailure("the service does not start: \(error)") }
        for user in ["ann", "bob"] {
            guard case .user(let identity) = ask(.read(.caller), of: user, .public) else {
                preconditionFailure("no caller")
            }
            names[user] = identity.userRecordName
        }
    }

    private func makeZone() {
        inputs += 1
        (tags, guid) = ([:], "none")
        let zone = RecordZone.ID(zoneName)
        _ = ask(.write(.modifyZones([.create(zone)])), of: "ann", .private)
        let records = [("a", nil), ("b", "a"), ("c", "b"), ("d", nil)] as [(String, String?)]
        let operations = records.map { name, parent in
            RecordOperation(
                .create, recordName: name, recordType: "T",
                parent: parent.map { Record.Reference($0) })
        }
        let request = RecordModifyRequest(operations: operations, zoneID: zone)
        learn(ask(.write(.modifyRecords(request)), of: "ann", .private))
    }

    func removeZone() {
        _ = ask(.write(.modifyZones([.delete(RecordZone.ID(zoneName))])), of: "ann", .private)
        let zones = ask(.read(.listZones(token: nil)), of: "bob", .shared)
        guard case .zonePage(let page) = zones, page.zones.isEmpty else {
            preconditionFailure("a guest keeps a zone that is gone")
        }
        do {
            while try cloud.withStore({ try $0.purgeSome() }) {}
        } catch { preconditionFailure("what is gone cannot be removed: \(error)") }
    }

    // MARK: - Requests

    private func address(_ scope: Database.Scope) -> Database.Address {
        Database.Address(container: Self.container, environment: .development, scope: scope)
    }

    /// An answer; nil where the whole request is refused.
    private func ask(
        _ command: CloudCommand, of user: String, _ scope: Database.Scope
    ) -> CloudReply? {
        do throws(CloudError) {
            return try cloud.perform(command, at: address(scope), by: .user(user))
        } catch {
            precondition(error.code != .internalError, "the store fails: \(error)")
            return nil
        }
    }

    func send(_ line: [UInt8]) {
        guard let first = line.first else { return }
        let kinds: [(String, Database.Scope, WireOperation)] = [
            ("ann", .private, .modifyRecords), ("bob", .shared, .modifyRecords),
            ("bob", .public, .acceptShares), ("bob", .public, .resolveShares),
            ("ann", .public, .acceptShares), ("bob", .private, .modifyRecords),
        ]
        let (user, scope, operation) = kinds[Int(first) % kinds.count]
        let route = WireRoute(address: address(scope), operation: operation)
        guard
            let (command, options) = try? CommandDecoder().decode(
                route, body: filled(line.dropFirst()))
        else { return }
        let isWhole: Bool
        if case .write(.modifyRecords(let request)) = command {
            isWhole = request.operations.allSatisfy { $0.malformation == nil }
        } else {
            isWhole = true
        }
        if isWhole {
            let again = WireRequest(command, at: address(scope))
            let read = try? CommandDecoder().decode(route, body: again.body).command
            precondition(
                again.method == "GET" || read == command,
                "what we write is read as something else")
        }
        guard let reply = ask(command, of: user, scope) else { return }
        learn(reply)
        let answer = writer.write(
            reply, to: operation, caller: names[user] ?? "", options: options)
        guard isWhole, answer.status == 200 else { return }
        guard let read = try? ReplyReader.read(answer.body, status: 200, to: command) else {
            preconditionFailure("what we answer cannot be read")
        }
        precondition(read == reply, "what we answer is read as something else")
    }

    /// A body with what stands for something replaced.
    private func filled(_ body: ArraySlice<UInt8>) -> [UInt8] {
        var filled: [UInt8] = []
        var rest = body
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$") || byte == UInt8(ascii: "@"), let next = rest.first
            else {
                filled.append(byte)
                continue
            }
            let name = String(decoding: [next], as: UTF8.self)
            let text: String? =
                switch (byte, name) {
                case (UInt8(ascii: "@"), _): tags[name]
                case (_, "Z"): zoneName
                case (_, "O"): names["ann"]
                case (_, "B"): names["bob"]
                case (_, "G"): guid
                default: nil
                }
            guard let text else {
                filled.append(byte)
                continue
            }
            rest.removeFirst()
            filled += text.utf8
        }
        return filled
    }

    private func learn(_ reply: CloudReply?) {
        guard case .records(let reply) = reply else { return }
        for case .record(let record) in reply.records {
            let name = record.id.recordName
            tags[name == Share.zoneWideName ? "z" : name] = record.recordChangeTag
            if let made = record.shortGUID { guid = made }
        }
    }

    // MARK: - What the guest sees

    func checkGuest() {
        guard let all = records(of: "ann", .private) else { preconditionFailure("no zone") }
        var expected: Set<String> = []
        let shares = all.filter { $0.value.sharing.map(isGuest) ?? false }
        for name in all.keys where shares[share(of: name, all) ?? ""] != nil {
            expected.insert(name)
        }
        if shares[Share.zoneWideName] != nil { expected = Set(all.keys) }
        let seen = records(of: "bob", .shared)
        precondition((seen == nil) == shares.isEmpty, "the guest has the zone, or has not")
        precondition(
            Set(seen.map { $0.keys } ?? [:].keys) == expected, "the guest sees more or less")
        for (name, record) in seen ?? [:] {
            precondition(record.fields == all[name]?.fields, "the guest sees something else")
        }
    }

    private func isGuest(_ share: Share) -> Bool {
        share.participants.contains {
            $0.identity.userRecordName == names["bob"] && $0.acceptance == .accepted
                && max($0.permission, share.publicPermission) >= .readOnly
        }
    }

    /// The share whose hierarchy a record is in.
    private func share(of name: String, _ all: [String: Record]) -> String? {
        var (next, seen) = (Optional(name), Set<String>())
        while let here = next, seen.insert(here).inserted, let record = all[here] {
            if record.sharing != nil { return here }
            if let share = record.share { return share.recordName }
            next = record.parent?.recordName
        }
        return nil
    }

    /// All that somebody sees of the zone, by its feed; nil: not even the zone.
    private func records(of user: String, _ scope: Database.Scope) -> [String: Record]? {
        let owner = scope == .shared ? names["ann"] : nil
        var request = ZoneChangesRequest(
            zoneID: RecordZone.ID(zoneName, ownerRecordName: owner), limit: 5)
        var records: [String: Record] = [:]
        for _ in 0..<10_000 {
            guard
                case .zoneChanges(let items) = ask(.read(.zoneChanges([request])), of: user, scope)
            else { preconditionFailure("no feed") }
            guard case .page(let page)? = items.first else { return nil }
            for item in page.records {
                switch item {
                case .record(let record): records[record.id.recordName] = record
                case .deleted(let name, _): records[name] = nil
                case .failure: preconditionFailure("the feed fails for a record")
                }
            }
            request.token = page.token
            if !page.moreComing { return records }
        }
        preconditionFailure("the feed does not end")
    }
}
