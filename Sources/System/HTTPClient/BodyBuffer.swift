/// The body of an answer while it is read: never more than a limit.
package struct BodyBuffer {
    private let bytesMax: Int
    private(set) package var bytes: [UInt8] = []

    package init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Makes room for a body of an announced length.
    ///
    /// - Returns: Whether it is within the limit.
    package mutating func expect(_ count: Int) -> Bool {
        guard count <= bytesMax else { return false }
        bytes.reserveCapacity(count)
        return true
    }

    /// Adds what was received.
    ///
    /// - Returns: False, and nothing is added, when it would be more than the limit.
    package mutating func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count + piece.count
        guard count <= bytesMax else { return false }
        if count > bytes.capacity {
            // Doubling by itself could end at twice the limit.
            bytes.reserveCapacity(min(max(count, 2 * bytes.capacity), bytesMax))
        }
        unsafe bytes.append(contentsOf: piece)
        return true
    }
}
