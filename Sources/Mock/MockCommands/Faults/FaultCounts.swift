import CommandLine

/// How often each fault of a mock server has fired, in all its namespaces together.
struct FaultCounts: Sendable {
    /// What `cloudkit-mock exec --require-fired` ends with where a fault did not fire, as `cloudkit-mock log requests --verify`
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
        for namespace in try await server.namespaces() {
            let admin = server.namespace(at: "\(server.url)/~\(namespace.name)")
            defer { admin.close() }
            try await counts.add(admin)
        }
        return counts
    }

    private mutating func add(_ admin: AdminClient) async throws(CommandFailure) {
        for fault in try await admin.faults() { fired[fault.id, default: 0] += fault.fired }
    }

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
