import JSON

/// What clients of a mock server did wrong, in all its namespaces.
struct MockFindings: Sendable {
    /// A line for each, with what to do instead.
    private(set) var lines: [String] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// What there is once the clients have ended.
    static func all(at server: MockAdmin) async throws(CommandFailure) -> MockFindings {
        var findings = MockFindings()
        try await findings.read(server, of: nil)
        let namespaces = try await server.ask(.get, "namespaces")["namespaces"]
        for namespace in namespaces.map({ Array($0.elements) }) ?? [] {
            guard let name = namespace["name"]?.string else { throw Self.unreadable }
            let admin = MockAdmin(
                url: "\(server.url)/~\(name)", authorityFile: server.authorityFile)
            defer { admin.close() }
            try await findings.read(admin, of: name)
        }
        return findings
    }

    private mutating func read(
        _ admin: MockAdmin, of namespace: String?
    ) async throws(CommandFailure) {
        let answer = try await admin.ask(.get, "findings?final=true")
        guard let list = answer["findings"], list.kind == .array,
            let dropped = answer["dropped"]?.int64
        else { throw Self.unreadable }
        for finding in list.elements {
            guard let rule = finding["rule"]?.string, let message = finding["message"]?.string,
                let instead = finding["instead"]?.string
            else { throw Self.unreadable }
            let times = finding["times"]?.int64 ?? 1
            var who = [finding["user"]?.string, finding["device"]?.string].compactMap { $0 }
            if let namespace { who.insert(namespace, at: 0) }
            lines.append(
                "\(rule)\(who.isEmpty ? "" : " (\(who.joined(separator: ", ")))"): \(message)"
                    + (times > 1 ? " So \(times) times." : "") + " \(instead)")
        }
        count += list.count + Int(dropped)
        if dropped > 0 { lines.append("\(dropped) more findings were not kept") }
    }

    private static let unreadable = CommandFailure(
        .internalError, "the mock server's findings cannot be read")
}
