/// What all connections together may keep in memory: parts of requests, requests that wait, and
/// answers that their clients have not taken.
///
/// A value that decides; the loop tells it what each connection holds. While half or more is
/// free, a connection is held back by its own high-water mark only, and an answer is refused only
/// where it would not fit into the rest of that half. In the other half large
/// bodies and answers are refused, so that small ones go on. When all is used up, requests that are
/// midway are refused as they go on, and new ones are not read until something has been freed: so,
/// by clients that take their answers, or by those that are cut because they do not.
package struct MemoryBudget: Sendable {
    /// What one connection may add.
    package struct Allowance: Sendable, Hashable {
        /// Requests are served while less than this of answers is unsent: the high-water mark. At
        /// 0 nothing is read but what lets answers be sent.
        package var outputBytes: Int
        /// A request's body that grows beyond this is refused.
        package var bodyBytes: Int
        /// A longer answer is replaced by a refusal.
        package var answerBytes: Int
    }

    /// What the budget should be at least, so that the largest answers fit.
    package static let bytesMin = 32 << 20
    /// How much of answers one connection may leave unsent before no more of it is served.
    package static let highWaterBytes = 1 << 20
    /// Bodies and answers up to this are taken also in the last half.
    package static let smallBytes = 64 << 10

    package let bytesMax: Int
    package private(set) var used = 0

    /// - Parameter bytesMax: At least 1; below ``bytesMin`` long answers are always refused.
    package init(bytesMax: Int) {
        precondition(bytesMax > 0, "a budget without a byte")
        self.bytesMax = bytesMax
    }

    package var isUsedUp: Bool { used >= bytesMax }

    /// What a connection may add now.
    package var allowance: Allowance {
        let small = Self.smallBytes
        let room = bytesMax / 2 - used
        if isUsedUp { return Allowance(outputBytes: 0, bodyBytes: 0, answerBytes: small) }
        guard room > 0 else {
            return Allowance(outputBytes: small, bodyBytes: small, answerBytes: small)
        }
        return Allowance(
            outputBytes: Self.highWaterBytes, bodyBytes: .max, answerBytes: max(small, room))
    }

    /// A connection that held `old` bytes holds `new` bytes now.
    package mutating func change(from old: Int, to new: Int) { used += new - old }
}
