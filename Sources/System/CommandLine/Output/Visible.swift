/// Text that others made up, such as names and a server's reasons, as it may be shown on a
/// terminal.
package enum Visible {
    /// The text with everything that moves the cursor, hides or turns text written out as
    /// `\u{1B}`.
    ///
    /// - Parameter keepsLines: Whether line ends are ours and stay.
    package static func text(_ text: String, keepsLines: Bool = false) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if isHarmless(scalar) || (keepsLines && scalar == "\n") {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return shown
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        // It joins emoji, and shows itself nowhere else.
        if scalar == "\u{200D}" { return true }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            return false
        default: return true
        }
    }
}
