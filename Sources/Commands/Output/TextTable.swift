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

    /// The table as lines without blanks at their ends.
    package func lines(_ style: Style) -> [String] {
        let columnCount = rows.map { $0.count }.max() ?? 0
        let widths = (0..<columnCount).map { column in
            rows.map { $0.count > column ? $0[column].text.count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = String(repeating: " ", count: indent)
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.text.count)
                let isLast = column == row.count - 1
                let text = style.text(cell.text, cell.tone)
                if cell.alignsRight {
                    line += padding + text
                } else {
                    line += isLast ? text : text + padding
                }
                if !isLast { line += "  " }
            }
            while line.last == " " { line.removeLast() }
            return line
        }
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
