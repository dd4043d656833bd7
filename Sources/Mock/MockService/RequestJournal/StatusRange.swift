/// The HTTP statuses that are meant: one, such as `409`, or a class, such as `4xx`. 0 is a connection that was
/// cut.
package struct StatusRange: Sendable, Hashable, CustomStringConvertible {
    package let range: ClosedRange<Int>

    /// nil where the text is neither.
    package init?(_ text: String) {
        if text.hasSuffix("xx"), text.utf8.count == 3, let digit = text.first?.wholeNumberValue,
            (1...5).contains(digit)
        {
            range = digit * 100...digit * 100 + 99
            return
        }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let status = Int(text),
            (0...599).contains(status)
        else { return nil }
        range = status...status
    }

    package var description: String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound / 100)xx"
    }

    package static let pattern = "^([0-9]{1,3}|[1-5]xx)$"
}
