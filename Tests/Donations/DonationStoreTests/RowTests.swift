import Foundation
import RepositoryRoot
import Testing

/// The lists of behaviours as wholes: each row has a test whose name begins with its id.
struct RowTests {
    /// D: what deletions remove. A: readings where the sources say little. M: mistakes of apps.
    /// W: apps at work. F: features.
    private static let rows: [(letter: Character, numbers: ClosedRange<Int>)] = [
        ("D", 1...28), ("A", 1...23), ("M", 1...20), ("W", 1...7), ("F", 1...61),
    ]

    /// Rows about CloudKit, which the tests of the requests and of the sync name in their own way.
    private static let elsewhere: Set = ["F55", "F56", "F58", "M17", "M19"]

    /// The ids that a test's name begins with: "D4 …", "F28 F54 D4 …", "W2 and M2 …".
    private static func ids(of name: Substring) -> [String] {
        var found: [String] = []
        for word in name.split(separator: " ") where word != "and" {
            guard let letter = word.first, rows.contains(where: { $0.letter == letter }),
                Int(word.dropFirst()) != nil
            else { break }
            found.append(String(word))
        }
        return found
    }

    @Test func `every row has a test`() throws {
        let tests = Repository.url("Tests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
        var found: Set<String> = []
        for path in paths where path.hasSuffix("Tests.swift") {
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            for part in text.split(separator: "func `").dropFirst() {
                found.formUnion(Self.ids(of: part.prefix { $0 != "`" }))
            }
        }
        let all = Set(Self.rows.flatMap { row in row.numbers.map { "\(row.letter)\($0)" } })
        #expect(all.subtracting(found).subtracting(Self.elsewhere).sorted() == [])
    }
}
