import AsyncOperations
package import PostgreSQL

/// The cluster that all tests of a process share which kill nothing; each has a database of its own.
package enum SharedCluster {
    private static let cluster = Locked<Cluster?>(nil)
    private static let databases = Locked(0)

    /// Starts it at the first call.
    package static func shared() throws -> Cluster {
        try cluster.withLock { cluster in
            if let cluster { return cluster }
            let made = try Cluster(.off)
            cluster = made
            return made
        }
    }

    /// A new empty database.
    package static func database() async throws -> ConnectionSettings {
        let number = databases.withLock { count in
            count += 1
            return count
        }
        return try await shared().makeDatabase("test\(number)")
    }
}
