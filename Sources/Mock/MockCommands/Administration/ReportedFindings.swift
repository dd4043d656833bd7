import CommandLine

/// What clients of a mock server did wrong, in all its namespaces; of a namespace, in that one.
struct ReportedFindings: Sendable {
    /// What a script is told where there are some.
    static let foundCode: Int32 = 7

    private(set) var all: [ReportedFinding] = []
    /// Findings that the server has counted, but not kept.
    private(set) var dropped = 0
    /// Where clients are not watched, so that nobody knows; "" is the server's own world.
    private(set) var unwatched: [String] = []

    var count: Int { all.count + dropped }
    var isEmpty: Bool { count == 0 }

    /// A line for each, with what to do instead.
    var lines: [String] {
        all.map(\.line)
            + (dropped > 0 ? ["\(TextTable.grouped(dropped)) more were discarded"] : [])
    }

    /// Asks a server.
    ///
    /// - Parameter query: Of `GET findings`, such as `final=true` where the clients have ended.
    static func read(
        at server: AdminClient, _ query: String
    ) async throws(CommandFailure) -> ReportedFindings {
        var names: [String] = []
        for namespace in try await server.namespaces() {
            // Who asks a namespace is told of all of them.
            if namespace.url == server.url || server.url.hasSuffix("/~\(namespace.name)") {
                names = []
                break
            }
            names.append(namespace.name)
        }
        var findings = ReportedFindings()
        try await findings.add(server, of: "", query)
        for name in names {
            let admin = server.namespace(at: "\(server.url)/~\(name)")
            defer { admin.close() }
            try await findings.add(admin, of: name, query)
        }
        return findings
    }

    private mutating func add(
        _ admin: AdminClient, of namespace: String, _ query: String
    ) async throws(CommandFailure) {
        let answer = try await admin.ask(.get, "findings?\(query)")
        for finding in try answer.objects("findings") {
            all.append(try ReportedFinding(finding, of: namespace))
        }
        dropped += try answer.number("dropped")
        if try !answer.flag("check") { unwatched.append(namespace) }
    }
}
