/// A request that one worker holds: what to do, and the words that each write has to carry.
package struct Lease: Sendable, Hashable {
    /// The request's number in the queue.
    package let request: Int64
    /// Raised at each claim: whose fence is older writes nothing.
    package let fence: Int64
    /// From 1.
    package let attempt: Int64
    /// What is to be done, as it was given to the queue.
    package let order: [UInt8]
    let worker: WorkerID
}

/// A worker since it started: random, so that no two are ever taken for one.
package struct WorkerID: Sendable, Hashable {
    static let byteCount = 16
    let bytes: [UInt8]

    /// - Parameter bytes: 16 random bytes, made after the process was started.
    package init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount, "a worker's identity has 16 bytes")
        self.bytes = bytes
    }
}
