/// What a JSON text may cost us.
package struct JSONLimits: Sendable, Hashable {
    /// Bytes of the whole text.
    package var bytesMax: Int
    /// Objects and arrays inside one another; at most 1024.
    package var depthMax: Int

    /// Brackets, commas and colons outside strings: what a text is made of takes up to 100 bytes
    /// each, however short it is itself.
    package var marksMax: Int

    /// Limits of one's own.
    package init(bytesMax: Int = 64 << 20, depthMax: Int = 64, marksMax: Int = .max) {
        precondition(depthMax > 0 && depthMax <= 1024, "the parser nests at most 1024 deep")
        precondition(marksMax >= 0, "a count")
        self.marksMax = marksMax
        self.bytesMax = bytesMax
        self.depthMax = depthMax
    }

    /// 64 MiB, 64 deep.
    package static let standard = JSONLimits()
}
