import CloudWire
import JSON

extension MockCloud {
    /// Keeps what the service holds now under a name, in place of what it kept there before.
    public func takeSnapshot(_ name: String) async throws {
        _ = try await world.ask(.post, "simulate") { writer in
            writer.member("event", "snapshot")
            writer.member("name", name)
        }
    }

    /// Puts back what the service held. Change tokens that were given out since then expire.
    ///
    /// - Throws: ``MockCloudError`` when there is no snapshot of this name.
    public func restoreSnapshot(_ name: String) async throws {
        _ = try await world.ask(.post, "simulate") { writer in
            writer.member("event", "restore")
            writer.member("name", name)
        }
    }

    /// The names of the snapshots there are.
    public func snapshots() async throws -> [String] {
        try await world.list("snapshots", of: "snapshots").compactMap { $0.string }
    }

    /// Empties all databases; accounts, faults and the clock stay.
    public func reset() async throws { _ = try await world.ask(.post, "reset") { _ in } }

    /// Runs a body with a copy of this world, which goes its own way and is gone afterwards.
    ///
    /// The copy has this world's accounts, data, faults and clock, and an empty journal.
    ///
    /// - Parameters:
    ///   - name: What the copy is called among the service's namespaces; decides its seed.
    ///   - snapshot: What it begins with; nil: what this world holds now.
    @discardableResult
    public func withFork<Value: Sendable>(
        _ name: String = "fork", of snapshot: String? = nil,
        _ body: @Sendable (MockCloud) async throws -> Value
    ) async throws -> Value {
        let origin = namespace ?? "localhost"
        return try await world.withNamespace(namespace.map { "\($0)-\(name)" } ?? name) { writer in
            writer.member("fork", origin)
            writer.member("snapshot", snapshot)
        } body: {
            try await body(try await MockCloud($0))
        }
    }

    /// Runs a body with another world of the same service, which begins as the service did and is gone
    /// afterwards. Nothing done in one shows in another.
    ///
    /// - Parameter name: What it is called among the service's namespaces: 1 to 63 of `a-z`, `0-9` and `-`;
    ///   decides its seed.
    @discardableResult
    public func withNamespace<Value: Sendable>(
        _ name: String, _ body: @Sendable (MockCloud) async throws -> Value
    ) async throws -> Value {
        try await world.withNamespace(name) { _ in
        } body: {
            try await body(try await MockCloud($0))
        }
    }
}
