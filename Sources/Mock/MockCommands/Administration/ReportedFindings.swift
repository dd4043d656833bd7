import CommandLine
import JSON

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
        let list = try await server.ask(.get, "namespaces")["namespaces"]
        guard let list, list.kind == .array else { throw ReportedFinding.unreadable }
        var names: [String] = []
        for namespace in list.elements {
            guard let name = namespace["name"]?.string else { throw ReportedFinding.unreadable }
            // Who asks a namespace is told of all of them.
            if namespace["url"]?.string == server.url || server.url.hasSuffix("/~\(name)") {
                names = []
                break
            }
            names.append(name)
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
        guard let list = answer["findings"], list.kind == .array,
            let dropped = answer["dropped"]?.int64, let isOn = answer["check"]?.bool
        else { throw ReportedFinding.unreadable }
        for value in list.elements { all.append(try ReportedFinding(value, of: namespace)) }
        self.dropped += Int(dropped)
        if !isOn { unwatched.append(namespace) }
    }
}
