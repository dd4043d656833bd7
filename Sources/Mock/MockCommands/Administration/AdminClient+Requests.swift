import CommandLine
import MockAdmin
import MockStore

/// The requests of the administration API that verbs send, each with a typed answer.
extension AdminClient {
    // MARK: The server

    func health() async throws(CommandFailure) -> ServerHealth {
        try ServerHealth(await ask(.get, "health"))
    }
    func users() async throws(CommandFailure) -> [String] {
        try await ask(.get, "users").objects("users").map { user throws(CommandFailure) in
            try user.text("name")
        }
    }
    func containers() async throws(CommandFailure) -> [String] {
        try await ask(.get, "containers").texts("containers")
    }
    func namespaces() async throws(CommandFailure) -> [NamedServer] {
        try await ask(.get, "namespaces").objects("namespaces").map {
            answer throws(CommandFailure) in try NamedServer(answer)
        }
    }

    // MARK: Its data

    func reset() async throws(CommandFailure) {
        _ = try await ask(.post, "reset", [Event.Field]())
    }
    func seed(_ body: [UInt8]) async throws(CommandFailure) -> SeedCounts {
        try SeedCounts(await ask(.post, "seed", body))
    }
    /// - Returns: The number of record types.
    func setSchema(_ text: String, of container: String) async throws(CommandFailure) -> Int {
        try await ask(
            .put, "schema?container=\(Self.escaped(container))", Array(text.utf8)
        ).number("recordTypes")
    }
    func schema(of container: String, _ environment: String) async throws(CommandFailure) -> String
    {
        let path = "schema?container=\(Self.escaped(container))&environment=\(environment)"
        return String(decoding: try await bytes(path), as: UTF8.self)
    }
    /// JSON lines.
    ///
    /// - Parameter user: nil: the public databases.
    func dump(user: String?) async throws(CommandFailure) -> String {
        let path = "dump" + (user.map { "?user=\(Self.escaped($0))" } ?? "")
        return String(decoding: try await bytes(path), as: UTF8.self)
    }
    func snapshots() async throws(CommandFailure) -> [String] {
        try await ask(.get, "snapshots").texts("snapshots")
    }
    func deleteSnapshot(_ name: String) async throws(CommandFailure) {
        _ = try await ask(.delete, "snapshots?name=\(Self.escaped(name))")
    }
    /// Everything that the server stores, as a snapshot file.
    func snapshotFile() async throws(CommandFailure) -> [UInt8] { try await bytes("export") }
    func restore(_ snapshotFile: [UInt8]) async throws(CommandFailure) -> RestoredCounts {
        try RestoredCounts(await ask(.post, "import", snapshotFile))
    }

    // MARK: What happens

    func simulate(_ event: SimulatedEvent) async throws(CommandFailure) -> EventReport {
        try EventReport(await ask(.post, "simulate", event.json))
    }
    func pendingWork() async throws(CommandFailure) -> [PendingWork] {
        try await ask(.get, "pending").objects("pending").map { answer throws(CommandFailure) in
            try PendingWork(answer)
        }
    }
    func faults() async throws(CommandFailure) -> [ActiveFault] {
        try await ask(.get, "faults").objects("rules").map { answer throws(CommandFailure) in
            try ActiveFault(answer)
        }
    }
    func add(faults: [String]) async throws(CommandFailure) {
        _ = try await ask(.post, "faults", [.init("rules", .list(faults.map { .text($0) }))])
    }
    /// - Parameter id: nil: all of them.
    func removeFaults(_ id: String? = nil) async throws(CommandFailure) {
        _ = try await ask(.delete, "faults" + (id.map { "?id=\(Self.escaped($0))" } ?? ""))
    }
    func clock() async throws(CommandFailure) -> ClockReading {
        try ClockReading(await ask(.get, "clock"))
    }
    func setClock(_ fields: [Event.Field]) async throws(CommandFailure) -> ClockReading {
        try ClockReading(await ask(.put, "clock", fields))
    }
    func scaleClock(by rate: Double) async throws(CommandFailure) -> ClockReading {
        // JSON writes a number as Swift does.
        try ClockReading(
            await ask(.put, "clock", Array("{\"mode\":\"scaled\",\"rate\":\(rate)}".utf8)))
    }
    func advanceClock(by duration: String) async throws(CommandFailure) -> ClockReading {
        try ClockReading(await ask(.post, "clock/advance", [.init("by", duration)]))
    }

    // MARK: What clients did

    func requests(_ query: String) async throws(CommandFailure) -> RequestLog {
        try RequestLog(await ask(.get, "journal?" + query))
    }
    func clearRequests() async throws(CommandFailure) { _ = try await ask(.delete, "journal") }
    func verify(_ check: JournalCheck) async throws(CommandFailure) -> JournalCheck.Result {
        try JournalCheck.Result(await ask(.post, "journal/verify", check.body))
    }
    func pushes(_ query: String) async throws(CommandFailure) -> PushLog {
        try PushLog(await ask(.get, "pushes?" + query))
    }
    func explain(_ request: String) async throws(CommandFailure) -> Explanation {
        try Explanation(await ask(.get, "explain?request=\(Self.escaped(request))"))
    }

    // MARK: Keys and tokens

    /// The server's own API token.
    func apiToken() async throws(CommandFailure) -> String {
        try await ask(.get, "tokens").text("apiToken")
    }
    /// A new web token for a user.
    func webToken(of user: String) async throws(CommandFailure) -> String {
        try await add(.webToken, [.init("user", user)])
    }
    /// Keys and API tokens; web tokens are known to their clients alone.
    func credentials() async throws(CommandFailure) -> [StoredCredential] {
        var all: [StoredCredential] = []
        for (path, list, kind) in [
            ("keys", "serverKeys", StoredCredential.Kind.key), ("tokens", "apiTokens", .apiToken),
        ] {
            for answer in try await ask(.get, path).objects(list) {
                all.append(try StoredCredential(answer, kind))
            }
        }
        return all
    }
    /// - Returns: The ID of the key, or the token.
    func add(
        _ kind: StoredCredential.Kind, _ fields: [Event.Field]
    ) async throws(CommandFailure) -> String {
        try await ask(.post, kind == .key ? "keys" : "tokens", fields).text(kind.key)
    }
    func remove(_ kind: StoredCredential.Kind, _ text: String) async throws(CommandFailure) {
        let path = kind == .key ? "keys" : "tokens"
        _ = try await ask(.delete, "\(path)?\(kind.key)=\(Self.escaped(text))")
    }
}
