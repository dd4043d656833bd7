/// How wide the columns of a table are, and where cells go that are wider.
struct TableLayout {
    /// Blanks between two columns.
    private static let gap = 2
    /// The last column gets at least so much, if it needs it, or a line for itself.
    private static let lastWidthMin = 24

    /// No column is made narrower than this.
    private static let widthMin = 12
    /// Columns that are won, or no word is longer than its column for it.
    private static let gainMin = 8

    private let widths: [Int]
    /// Columns before which each row goes on in the next line: the table is too wide without its last one.
    private let starts: Set<Int>
    private let indent: Int
    private let columns: Int

    /// - Parameter columns: The width that lines should have at most.
    init(_ rows: [[TextTable.Cell]], indent: Int, columns: Int) {
        self.indent = indent
        self.columns = columns
        var widths = Self.natural(rows)
        guard let last = widths.indices.last,
            Self.total(widths) + indent > columns,
            rows.allSatisfy({ $0.count <= last || !$0[last].alignsRight })
        else {
            self.widths = widths
            starts = Self.starts(widths, indent: indent, columns: columns)
            return
        }
        func free() -> Int { columns - indent - Self.total(Array(widths.dropLast())) - Self.gap }
        let wanted = min(widths[last], Self.lastWidthMin)
        while free() < wanted, let (column, width) = Self.narrower(widths.dropLast(), rows) {
            widths[column] = width
        }
        if free() + Self.gap >= 0 {
            widths[last] = min(widths[last], max(0, free()))
            starts = []
        } else {
            widths[last] = min(widths[last], columns - indent - Self.gap)
            starts = Self.starts(widths, indent: indent, columns: columns)
        }
        self.widths = widths
    }

    private static func starts(_ widths: [Int], indent: Int, columns: Int) -> Set<Int> {
        var starts: Set<Int> = []
        var offset = indent
        for (column, width) in widths.enumerated() {
            if column > 0, offset + width > columns {
                starts.insert(column)
                offset = indent + gap
            }
            offset += width + gap
        }
        return starts
    }

    private static func natural(_ rows: [[TextTable.Cell]]) -> [Int] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.text.count)
            }
        }
        return widths
    }

    private static func total(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + gap * max(0, widths.count - 1)
    }

    /// The widest column that can be narrower with few rows the worse for it, and its next width.
    private static func narrower(
        _ widths: ArraySlice<Int>, _ rows: [[TextTable.Cell]]
    ) -> (column: Int, width: Int)? {
        for column in widths.indices.sorted(by: { widths[$0] > widths[$1] }) {
            let cells = rows.compactMap { $0.count > column ? $0[column] : nil }
            guard cells.allSatisfy({ !$0.alignsRight }) else { continue }
            let words = cells.map { LineBreaks.longestWord($0.text) }
            // What is left of the column has to be worth reading, and worth the rows that go on below.
            let least = max(widthMin, widths[column] / 2)
            let candidates = (words + cells.map(\.text.count)).filter {
                $0 >= least && $0 < widths[column]
            }
            guard let width = candidates.max() else { continue }
            let broken = words.count { $0 > width }
            guard broken == 0 || broken * 3 <= rows.count && widths[column] - width >= gainMin
            else { continue }
            return (column, width)
        }
        return nil
    }

    /// A cell as it is placed: its lines, and where they begin.
    private struct Piece {
        let offset: Int
        let lines: [String]
        let cell: TextTable.Cell
    }

    /// The lines of a row. After a cell that is too long for its column the row goes on in the next
    /// line; one in the last column has that line for itself.
    func lines(_ row: [TextTable.Cell], _ style: Style) -> [String] {
        var bands: [[Piece]] = [[]]
        var offset = indent
        for (column, cell) in row.enumerated() {
            let width = widths[column]
            if starts.contains(column) {
                bands.append([])
                offset = indent + Self.gap
            }
            let lines =
                cell.alignsRight ? [cell.text] : LineBreaks.lines(cell.text, width: width)
            let isLast = column == row.count - 1
            if width > 0 || cell.text.isEmpty, lines.allSatisfy({ $0.count <= width }) {
                let shift = cell.alignsRight ? width - cell.text.count : 0
                bands[bands.count - 1].append(
                    Piece(offset: offset + shift, lines: lines, cell: cell))
            } else if isLast, column > 0 {
                let below = indent + Self.gap
                let lines = LineBreaks.lines(cell.text, width: columns - below)
                bands.append([Piece(offset: below, lines: lines, cell: cell)])
            } else {
                bands[bands.count - 1].append(
                    Piece(offset: offset, lines: [cell.text], cell: cell))
                bands.append([])
            }
            offset += width + Self.gap
        }
        let isBanded = !starts.isEmpty
        return bands.filter { band in
            !band.isEmpty && !(isBanded && band.allSatisfy { $0.cell.text.isEmpty })
        }.flatMap { Self.lines(of: $0, style) }
    }

    private static func lines(of band: [Piece], _ style: Style) -> [String] {
        (0..<(band.map(\.lines.count).max() ?? 0)).map { number in
            var line = ""
            var end = 0
            for piece in band where number < piece.lines.count && !piece.lines[number].isEmpty {
                let text = piece.lines[number]
                line += String(repeating: " ", count: max(0, piece.offset - end))
                line += style.text(text, piece.cell.tone)
                end = max(end, piece.offset) + text.count
            }
            return line
        }
    }
}
