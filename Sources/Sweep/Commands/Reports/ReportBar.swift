import Basics
import CommandLine
import SweepEngine

/// What became of the things in one place, as a bar that its parts fill.
struct ReportBar: Sendable {
    /// One part: its class in the page's style, its name, and how many things.
    struct Part: Sendable, Hashable {
        let style: String
        let name: String
        let count: Int
    }

    let parts: [Part]

    init(_ row: CoverageRow, _ rest: Remainder) {
        let all = [
            Part(style: "deleted", name: "deleted", count: row.deleted),
            Part(style: "already", name: "already deleted", count: row.alreadyGone),
            Part(style: "kept", name: "kept", count: row.kept),
            Part(style: "out", name: "exported", count: rest.exported(row)),
            Part(style: "failed", name: "failed", count: row.failed),
            Part(style: "left", name: "to delete", count: rest.toDelete(row)),
            Part(style: "left", name: "left", count: rest.left(row)),
        ]
        parts = all.filter { $0.count > 0 }
    }

    /// `1,195 deleted · 2 already deleted`
    var words: String {
        parts.map { "\(TextTable.grouped($0.count)) \($0.name)" }.joined(separator: " · ")
    }

    /// Thousandths of the bar, which come to 1000; whatever is there is at least 8 wide.
    private var widths: [Int] {
        let least = 8
        let total = parts.reduce(0) { $0 + $1.count }
        guard total > 0 else { return [] }
        let free = 1000 - least * parts.count
        var widths = parts.map {
            least + Int(Double(free) * Double($0.count) / Double(total))
        }
        widths[0] += 1000 - widths.reduce(0, +)
        return widths
    }

    var svg: String {
        var x = 0
        var rectangles = ""
        for (part, width) in zip(parts, widths) {
            rectangles +=
                #"<rect class="\#(part.style)" x="\#(x)" width="\#(width)" height="10"/>"#
            x += width
        }
        // An empty bar shows nothing that the words beside it do not say.
        let name =
            parts.isEmpty
            ? #"aria-hidden="true""#
            : #"role="img" aria-label="\#(MarkupText.escape(words))""#
        return #"<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" \#(name)>"#
            + rectangles + "</svg>"
    }
}
