/// Columns of text.
package struct TextTable: Sendable {
    /// One cell and how it looks.
    package struct Cell: Sendable {
        package let text: String
        package let tone: Style.Tone
        package let alignsRight: Bool

        package init(_ text: String, _ tone: Style.Tone = .plain, alignsRight: Bool = false) {
            self.text = Visible.text(text)
            self.tone = tone
            self.alignsRight = alignsRight
        }

        package static func number(_ value: Int) -> Cell {
            Cell(TextTable.grouped(value), alignsRight: true)
        }
    }

    private var rows: [[Cell]] = []
    private let indent: Int

    package init(indent: Int = 0) { self.indent = indent }

    package mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// The table as lines without blanks at their ends. Where they would be wider than the style's
    /// columns, what is too long for its column goes on below.
    package func lines(_ style: Style) -> [String] { rowLines(style).flatMap { $0 } }

    /// The same, row by row.
    package func rowLines(_ style: Style) -> [[String]] {
        let layout = TableLayout(rows, indent: indent, columns: style.columns)
        return rows.map { layout.lines($0, style) }
    }

    /// `1,234,567`
    package static func grouped(_ value: Int) -> String {
        let digits = String(value.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + text
    }
}
