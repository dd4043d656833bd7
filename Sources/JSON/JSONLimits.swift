/// What a JSON text may cost us.
package struct JSONLimits: Sendable, Hashable {
    /// Bytes of the whole text.
    package var bytesMax: Int
    /// Objects and arrays inside one another; at most 1024.
    package var depthMax: Int

    /// Limits of one's own.
    package init(bytesMax: Int = 64 << 20, depthMax: Int = 64) {
        precondition(depthMax > 0 && depthMax <= 1024, "the parser nests at most 1024 deep")
        self.bytesMax = bytesMax
        self.depthMax = depthMax
    }

    /// 64 MiB, 64 deep.
    package static let standard = JSONLimits()
}
