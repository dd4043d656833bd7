/// The records of a zone that the app was told of, or sent itself: by name, with their types.
///
/// A feed read from its beginning again, after its token expired, has no deletions of what went
/// meanwhile. So that each is told all the same, the records that such a reading did not show are
/// those that went. The types are for deletions, which the web services send without.
package struct KnownRecords: Sendable {
    private struct Mark: Sendable {
        var type: UInt16
        var wasSeen: Bool
    }
    /// A record that is known, and its type.
    package struct Entry: Sendable, Hashable {
        package let name: String
        package let type: String

        package init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }
    private var marks: [String: Mark] = [:]
    private var types: [String] = []

    package init() {}

    package var count: Int { marks.count }

    /// Notes that a record is there.
    package mutating func note(_ entry: Entry) {
        marks[entry.name] = Mark(type: index(of: entry.type), wasSeen: true)
    }

    package mutating func forget(_ name: String) { marks[name] = nil }

    /// The type of a record; empty for one that is not known.
    package func type(of name: String) -> String { marks[name].map { types[Int($0.type)] } ?? "" }

    /// Begins a reading of the whole zone.
    package mutating func beginReading() {
        for name in marks.keys { marks[name]?.wasSeen = false }
    }

    /// What the reading did not show so far, at most `countMax`; in no particular order.
    package func unseen(countMax: Int) -> [Entry] {
        var found: [Entry] = []
        for (name, mark) in marks where !mark.wasSeen {
            guard found.count < countMax else { break }
            found.append(Entry(name: name, type: types[Int(mark.type)]))
        }
        return found
    }

    /// A record type's number. Beyond 65,535 types, more than a schema can have, they are one.
    private mutating func index(of type: String) -> UInt16 {
        if let index = types.firstIndex(of: type) { return UInt16(index) }
        if types.count > UInt16.max { return UInt16.max }
        types.append(type)
        return UInt16(types.count - 1)
    }
}

extension KnownRecords {
    /// The types, a line each; an empty line; then the records, a line each: `+` when the reading
    /// showed it or `-`, the type's number, a space, the name. Names and types hold no line breaks.
    package var text: String {
        var text = types.map { $0 + "\n" }.joined() + "\n"
        text.reserveCapacity(text.utf8.count + marks.count * 44)
        for (name, mark) in marks {
            text += mark.wasSeen ? "+" : "-"
            text += String(mark.type)
            text += " "
            text += name
            text += "\n"
        }
        return text
    }

    /// Reads ``text``; nil for what is none.
    package init?(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popLast() == "" else { return nil }
        while let type = lines.popFirst(), !type.isEmpty { types.append(String(type)) }
        marks.reserveCapacity(lines.count)
        for line in lines {
            guard let sign = line.first, sign == "+" || sign == "-",
                let space = line.firstIndex(of: " "),
                let type = UInt16(line[line.index(after: line.startIndex)..<space]),
                Int(type) < types.count
            else { return nil }
            let name = String(line[line.index(after: space)...])
            guard !name.isEmpty else { return nil }
            marks[name] = Mark(type: type, wasSeen: sign == "+")
        }
    }
}
