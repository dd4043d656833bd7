/// How text is laid out: its colours and weights, or none, and how wide it may be.
package struct Style: Sendable, Hashable {
    /// Columns where nobody says how many there are.
    package static let columnsUsual = 80
    /// Fewer are not worth laying out for.
    private static let columnsMin = 40

    package let isColored: Bool
    /// The width that lines are broken for.
    package let columns: Int

    package init(isColored: Bool, columns: Int = Style.columnsUsual) {
        self.isColored = isColored
        self.columns = max(Self.columnsMin, columns)
    }

    /// The meaning a piece of text carries.
    package enum Tone: String, Sendable {
        case good = "32"
        case bad = "31"
        case caution = "33"
        case strong = "1"
        case faint = "2"
        case plain = ""
    }

    package func text(_ text: String, _ tone: Tone) -> String {
        guard isColored, tone != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m"
    }

    /// Whether to colour, by `--color`, `NO_COLOR` and `TERM`, and how wide a terminal is.
    package static func decide(
        _ wish: String?, isTerminal: Bool, in environment: Environment
    ) -> Style {
        let columns = isTerminal ? environment.terminal.width() : nil
        return Style(
            isColored: isColored(wish, isTerminal, environment),
            columns: columns ?? columnsUsual)
    }

    private static func isColored(
        _ wish: String?, _ isTerminal: Bool, _ environment: Environment
    ) -> Bool {
        switch wish {
        case "always": return true
        case "never": return false
        default:
            let forbidden =
                environment.variable("NO_COLOR") != nil
                || environment.variable("TERM") == "dumb"
            return isTerminal && !forbidden
        }
    }
}
