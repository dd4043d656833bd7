import Donations

/// The full-text tables beside the tables of items and saved activities (``SearchPiece``).
///
/// They hold words and no texts. Their rows are numbered by *place*: the higher the ranking hint
/// and the newer the row, the larger. Read downwards, the best candidates of a common word are
/// found without looking at the others; new rows mostly come at the end, where the table takes
/// them best.
enum SearchIndex {
    /// The columns, named alike in the table of the rows.
    static let columns = "title, display_name, keywords, description"
    /// A row's place, from its number and its ranking hint.
    static let place = "(hint << 41) + id"

    /// A row's number, from its place.
    static func row(ofPlace place: String) -> String {
        "(\(place) & ((1 << 41) - 1))"
    }

    /// A row's number, from its place.
    static func row(ofPlace place: Int64) -> Int64 { place & ((1 << 41) - 1) }

    /// How many letters of a word's beginning have an index of their own.
    static let beginningMax = 5

    /// What makes a full-text table. Prefixes of up to ``beginningMax`` letters have an index of
    /// their own: typing is answered at the first letter.
    static func definition(of table: String) -> String {
        let beginnings = (1...beginningMax).map { "\($0)" }.joined(separator: " ")
        return """
            CREATE VIRTUAL TABLE \(table) USING fts5(
              \(columns), content='', prefix='\(beginnings)',
              tokenize='unicode61 remove_diacritics 2');

            """
    }

    /// The full-text column of an attribute.
    static func column(_ attribute: String) -> String? {
        switch attribute {
        case "title", "keywords": attribute
        case "displayName": "display_name"
        case "contentDescription": "description"
        default: nil
        }
    }
}

extension Donation {
    /// Whether another row of the same number would have the same entry in a full-text table.
    func hasSameWords(as other: Donation) -> Bool {
        func isSame(_ left: String?, _ right: String?) -> Bool {
            left.map { $0.isSame(as: right) } ?? (right == nil)
        }
        return isSame(title, other.title) && isSame(displayName, other.displayName)
            && isSame(description, other.description)
            && isSame(keywords.joined(separator: "\n"), other.keywords.joined(separator: "\n"))
            && numbers["rankingHint"] == other.numbers["rankingHint"]
    }
}
