import CloudWire
import JSON

extension MockCloud {
    /// Adds faults, after those there are.
    ///
    /// - Throws: ``MockCloudError`` that names the nearest legal form when one of them can never happen; none
    ///   is added then.
    public func inject(_ faults: MockFault...) async throws {
        try await inject(faults)
    }

    /// Adds faults in their text form, such as `3rd records/modify -> THROTTLED retry 30s`.
    ///
    /// - SeeAlso: The article Faults of `MockServer` has the whole grammar.
    public func inject(_ rules: String...) async throws {
        try await inject(rules.map { MockFault(rule: $0) })
    }

    private func inject(_ faults: [MockFault]) async throws {
        var writer = JSONWriter()
        writer.beginArray()
        for fault in faults { fault.write(to: &writer) }
        writer.endArray()
        _ = try await world.administer(.post, "faults", writer.bytes)
    }

    /// Takes all faults away.
    public func removeFaults() async throws { _ = try await world.ask(.delete, "faults") }

    /// The faults there are, with what they have done.
    public func faults() async throws -> [MockFaultReport] {
        try await world.list("rules", of: "faults").map { MockFaultReport($0) }
    }
}
