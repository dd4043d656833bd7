import Evidence
import FileSystem

/// Where the addenda to a statement lie: beside it, `RUN.addendum-1.json` and so on.
enum AddendumFiles {
    private static let mark = ".addendum-"
    private static let proofBytesMax = 1 << 20

    /// The number in the name of an addendum's file; nil: it is named like something else.
    static func number(of path: String) -> Int? {
        guard let name = path.split(separator: "/").last, name.hasSuffix(".json"),
            let range = name.firstRange(of: mark)
        else { return nil }
        let digits = name[range.upperBound...].dropLast(5)
        guard let number = Int(digits), number > 0, "\(number)" == digits else { return nil }
        return number
    }

    /// The statement that an addendum's file lies beside.
    static func statement(of addendum: String) -> String {
        guard let range = addendum.ranges(of: mark).last else { return addendum }
        return addendum[..<range.lowerBound] + ".json"
    }

    /// The addenda beside a statement, in their order.
    ///
    /// - Parameter last: The last that is asked for; nil: all that are there.
    /// - Throws: `addendum` when one is missing before another, or too many are there.
    static func paths(
        beside statement: String, in files: Files, upTo last: Int?
    ) throws -> [String] {
        let parts = statement.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
        let stem = (parts.last ?? "").dropLast(5)
        let numbers = try files.names(in: folder.isEmpty ? "/" : folder)
            .filter { $0.hasPrefix(stem + mark) }
            .compactMap { number(of: $0) }.filter { $0 <= last ?? .max }.sorted()
        guard numbers.count <= Addendum.countMax else {
            throw EvidenceError(.tooLarge, "more than \(Addendum.countMax) addenda")
        }
        // No file has the number 1, 2 and so on where the numbers and their places part.
        let gap = numbers.indices.first { numbers[$0] != $0 + 1 }
        guard let missing = gap ?? (numbers.count < last ?? 0 ? numbers.count : nil) else {
            return numbers.map { AddendumWriter.path($0, beside: statement) }
        }
        throw EvidenceError(
            .addendum, "addendum \(missing + 1) to the statement is missing from its folder")
    }

    /// The proof of the ledger beside an addendum; nil: there is none.
    static func proof(of addendum: String, in files: Files) throws(FileError) -> [UInt8]? {
        let path = addendum.dropLast(5) + ".proof"
        guard files.facts(String(path)) != nil else { return nil }
        return try files.read(String(path), bytesMax: proofBytesMax)
    }
}
