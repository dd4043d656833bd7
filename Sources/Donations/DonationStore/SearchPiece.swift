/// One of the full-text tables of a kind: that of the rows whose places lie next to each other.
///
/// Words of deleted rows are taken out of a full-text table by writing all of it anew, so none may
/// grow with the store. The first table of a kind has the rows up to a boundary, and those with a
/// ranking hint, wherever they are; each other one has the next 2^``bits`` numbers.
struct SearchPiece: Sendable, Hashable {
    let table: String
    /// The places it has; nil where nothing else can lie between them.
    var places: ClosedRange<Int64>?

    /// The lowest place that it can have.
    var lowest: Int64

    /// The condition on the rows of `t`, this table.
    var condition: String {
        places.map { " AND t.rowid BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
    }
}

/// How the rows of one kind are spread over full-text tables.
struct SearchLayout: Sendable, Hashable {
    /// The lowest place of a row with a ranking hint.
    private static let lowestHinted: Int64 = 1 << 41

    /// The kind's table.
    let table: String
    /// The lowest number that is in a piece of its own.
    let boundary: Int64
    let bits: Int

    init(table: String, boundary: Int64, bits: Int) {
        self.table = table
        self.boundary = boundary
        self.bits = bits
    }

    /// The layout as it is kept in the file.
    init?(table: String, fact: String) {
        let parts = fact.split(separator: " ")
        guard parts.count == 2, let boundary = Int64(parts[0]), let bits = Int(parts[1]),
            (1...40).contains(bits)
        else { return nil }
        self.init(table: table, boundary: boundary, bits: bits)
    }

    var fact: String { "\(boundary) \(bits)" }

    /// The first table.
    var first: String { table + "_text" }
    /// How the names of the others begin.
    var prefix: String { table + "_words_" }

    /// The number of the piece of a place; nil: the first table.
    func number(ofPlace place: Int64) -> Int64? {
        (boundary..<Self.lowestHinted).contains(place) ? place >> Int64(bits) : nil
    }

    /// The rows' numbers in a piece.
    func rows(_ number: Int64) -> ClosedRange<Int64> {
        number << Int64(bits)...((number + 1) << Int64(bits)) - 1
    }

    /// The pieces, the highest places first; the first table stands there twice when places of
    /// others lie between its own.
    func pieces(_ numbers: [Int64]) -> [SearchPiece] {
        guard !numbers.isEmpty else { return [SearchPiece(table: first, lowest: .min)] }
        let others = numbers.sorted(by: >).map { number in
            SearchPiece(table: prefix + "\(number)", lowest: rows(number).lowerBound)
        }
        let hinted = SearchPiece(
            table: first, places: Self.lowestHinted ... .max, lowest: Self.lowestHinted)
        let low = SearchPiece(table: first, places: .min...boundary - 1, lowest: .min)
        return [hinted] + others + [low]
    }
}
