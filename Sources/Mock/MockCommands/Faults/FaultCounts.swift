import CommandLine
import JSON

/// How often each fault of a mock server has fired, in all its namespaces together.
struct FaultCounts: Sendable {
    /// What `cloudkit-mock exec --require-fired` ends with where a fault did not fire, as `cloudkit-mock journal --verify`
    /// does where an expected request is missing.
    static let unfiredCode: Int32 = 6

    private var fired: [String: Int] = [:]

    /// How often all of them fired.
    var total: Int { fired.values.reduce(0, +) }

    /// Reads the counts of a server and its namespaces.
    ///
    /// - Parameter server: The server itself, not one of its namespaces.
    static func read(at server: AdminClient) async throws(CommandFailure) -> FaultCounts {
        var counts = FaultCounts()
        try await counts.add(server)
        let list = try await server.ask(.get, "namespaces")["namespaces"]
        guard let list, list.kind == .array else { throw unreadable }
        for namespace in list.elements {
            guard let name = namespace["name"]?.string else { throw unreadable }
            let admin = server.namespace(at: "\(server.url)/~\(name)")
            defer { admin.close() }
            try await counts.add(admin)
        }
        return counts
    }

    private mutating func add(_ admin: AdminClient) async throws(CommandFailure) {
        guard let rules = try await admin.ask(.get, "faults")["rules"], rules.kind == .array else {
            throw Self.unreadable
        }
        for rule in rules.elements {
            guard let id = rule["id"]?.string, let count = rule["fired"]?.int64 else {
                throw Self.unreadable
            }
            fired[id, default: 0] += Int(count)
        }
    }

    private static let unreadable = CommandFailure(
        .internalError, "cannot read the faults of the mock server")

    /// A sentence for each fault that is not known to have fired, in the order given.
    func unfired(_ faults: [(id: String, text: String)]) -> [String] {
        faults.compactMap { fault in
            guard let count = fired[fault.id] else {
                return "fault \(fault.id) was removed during the run, so its count is unknown: "
                    + fault.text
            }
            return count > 0 ? nil : "fault \(fault.id) did not fire: \(fault.text)"
        }
    }
}
