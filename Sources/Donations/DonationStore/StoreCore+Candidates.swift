import Donations
import SQLite

/// The rows that a search compares.
extension StoreCore {
    /// How many rows are looked at to rank a search, of each kind.
    private static let candidatesMax = 512
    /// How many rows are read in vain for the letters of a beginning, before its search tables
    /// are asked: about what asking one of them costs.
    private static let othersMax = 512

    /// The best rows of a kind for a search text, in no order.
    ///
    /// The first candidates by place are taken: rows that have the words themselves and, when
    /// those do not reach the limit, rows with words that begin with the last one. Most searches
    /// for common words end before that: gathering the entries of a long beginning is dear.
    func candidates(
        _ kind: DonationKind, for text: String, limit: Int, isLocked: Bool
    ) throws(DonationError) -> [SearchCandidate] {
        guard let exact = QueryFullText(exactWords: text),
            let beginning = QueryFullText(words: text)
        else { return [] }
        let rank = SearchRank(text)
        let room = max(limit, Self.candidatesMax)
        let found = try candidates(
            SearchWalk(kind, exact, rank: rank, room: room, isLocked: isLocked))
        guard found.count < limit else { return found }
        let seen = Set(found.map(\.row))
        let more = try candidates(
            SearchWalk(
                kind, beginning, beginning: SearchBeginning(text), rank: rank, room: room,
                isLocked: isLocked))
        return found + more.filter { !seen.contains($0.row) }
    }

    private func candidates(_ walk: SearchWalk) throws(DonationError) -> [SearchCandidate] {
        var walk = walk
        for piece in try pieces(walk.kind) where walk.room > 0 {
            if let beginning = walk.beginning, try add(piece, beginning, to: &walk) { continue }
            // What costs too much in one table does so in the next.
            walk.beginning = nil
            try add(piece, to: &walk)
        }
        return walk.found
    }

    /// Adds the best rows of a piece.
    ///
    /// Upwards first: a search table goes downwards at twice the cost. Only where more rows have
    /// the words than are looked for, the best are found by going downwards.
    private func add(_ piece: SearchPiece, to walk: inout SearchWalk) throws(DonationError) {
        let places = try places(in: piece, walk.words, most: walk.room)
        let found = try sqlite { [walk] () throws(SQLiteError) in
            let rows = try rows(of: walk)
            defer { rows.reset() }
            var found: [SearchCandidate] = []
            if let places {
                for place in places where try step(rows, to: place) {
                    if let row = candidate(at: rows, of: walk) { found.append(row) }
                }
                return found
            }
            let matches = try connection.prepare(
                Self.matches(piece) + " ORDER BY t.rowid DESC")
            defer { matches.reset() }
            matches.bind(1, walk.words.expression)
            var looked = 0
            while looked < walk.room, try matches.step() {
                guard try step(rows, to: matches.int64(at: 0)) else { continue }
                looked += 1
                if let row = candidate(at: rows, of: walk) { found.append(row) }
            }
            return found
        }
        walk.add(found)
    }

    /// Adds the rows of a piece with a beginning, by comparing letters.
    ///
    /// - Returns: Whether that is all; if not, nothing was added.
    private func add(
        _ piece: SearchPiece, _ beginning: SearchBeginning, to walk: inout SearchWalk
    ) throws(DonationError) -> Bool {
        guard let places = try places(in: piece, beginning.wider, most: walk.room) else {
            return false
        }
        var others = 0
        let found = try sqlite { [walk] () throws(SQLiteError) -> [SearchCandidate]? in
            let rows = try rows(of: walk)
            defer { rows.reset() }
            var found: [SearchCandidate] = []
            for place in places where try step(rows, to: place) {
                let texts = [3, 4, 5, 8].compactMap { rows.optionalText(at: $0) }
                guard let begins = beginning.begins(texts) else { return nil }
                if !begins { others += 1 }
                guard walk.others + others <= Self.othersMax else { return nil }
                if begins, let row = candidate(at: rows, of: walk) { found.append(row) }
            }
            return found
        }
        guard let found else { return false }
        walk.add(found, others: others)
        return true
    }

    /// The places of a piece's rows with some words; nil: there are more than `most`.
    private func places(
        in piece: SearchPiece, _ words: QueryFullText, most: Int
    ) throws(DonationError) -> [Int64]? {
        try sqlite { () throws(SQLiteError) in
            let matches = try connection.prepare(
                Self.matches(piece) + " ORDER BY t.rowid LIMIT ?")
            defer { matches.reset() }
            matches.bind(1, words.expression)
            matches.bind(2, most + 1)
            var places: [Int64] = []
            while try matches.step() { places.append(matches.int64(at: 0)) }
            return places.count > most ? nil : places
        }
    }

    /// Parameter: the words.
    private static func matches(_ piece: SearchPiece) -> String {
        "SELECT t.rowid FROM \(piece.table) AS t WHERE t.\(piece.table) MATCH ?"
            + piece.condition
    }

    /// Gives the row of a number if it is seen now: the columns of a candidate, then its
    /// description if letters are compared, then its body if that says what is hidden.
    private func rows(of walk: SearchWalk) throws(SQLiteError) -> Statement {
        let rows = try connection.prepare(
            "SELECT \(SearchCandidate.columns),"
                + " \(walk.beginning == nil ? "NULL" : "description"),"
                + " \(walk.isLocked ? "body" : "NULL") FROM \(walk.kind.table) AS i"
                + " WHERE \(Self.visible(walk.kind)) AND i.id = ?")
        rows.bind(1, now.milliseconds)
        return rows
    }

    /// Goes to the row of a place.
    ///
    /// - Returns: Whether it is seen now.
    private func step(_ rows: Statement, to place: Int64) throws(SQLiteError) -> Bool {
        rows.reset()
        rows.bind(2, SearchIndex.row(ofPlace: place))
        return try rows.step()
    }

    /// The row that a statement of ``rows(of:)`` stands on; nil: the device is locked for it.
    private func candidate(at rows: Statement, of walk: SearchWalk) -> SearchCandidate? {
        if walk.isLocked, Donation.isHidden(inBody: rows.bytes(at: 9)) { return nil }
        return SearchCandidate(walk.kind, at: rows, rank: walk.rank)
    }
}
