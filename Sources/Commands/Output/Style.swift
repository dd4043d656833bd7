/// Colours and weights of text on a terminal, or none.
package struct Style: Sendable, Hashable {
    package let isColored: Bool
    package init(isColored: Bool) { self.isColored = isColored }

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

    /// Whether to colour, by `--color`, `NO_COLOR` and `TERM`.
    package static func decide(
        _ wish: String?, isTerminal: Bool, in environment: Environment
    ) -> Style {
        switch wish {
        case "always": return Style(isColored: true)
        case "never": return Style(isColored: false)
        default:
            let forbidden =
                environment.variable("NO_COLOR") != nil
                || environment.variable("TERM") == "dumb"
            return Style(isColored: isTerminal && !forbidden)
        }
    }
}
