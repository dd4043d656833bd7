/// How far a server's clock was from ours, in milliseconds: positive where the server's was ahead.
package struct ClockSkew: Sendable, Hashable {
    /// At its first answer.
    package var first: Int64
    /// At its latest answer.
    package var last: Int64

    /// What is told to people.
    package static let noticeable: Int64 = 300_000

    package init(first: Int64, last: Int64) {
        self.first = first
        self.last = last
    }

    /// Whether one of the two clocks was wrong by more than minutes.
    package var isNoticeable: Bool {
        [first, last].contains { $0.magnitude > UInt64(Self.noticeable) }
    }
}
