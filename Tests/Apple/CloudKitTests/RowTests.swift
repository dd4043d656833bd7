import Foundation
import Testing

/// The list of behaviours as a whole: each of its rows has a test here, or a reason for none.
struct RowTests {
    private static let rows = 1...118

    /// Rows without a test in this folder, and why.
    static let excused: [Int: String] = {
        let engine = "what a sync engine does by itself: CKSyncEngine is not part of this library"
        let reasons: [(ClosedRange<Int>, String)] = [
            (2...2, "the web services have no answer that says so"),
            (3...5, engine),
            (14...14, "what an app does with the reason; sources differ"),
            (36...36, "the server runs no code of an app that could reject a record"),
            (37...37, "verbs of the web services: tested there, under ContractTests"),
            (
                60...60,
                "a move between zones of two owners: two records, and the order in which they are kept"
            ),
            (62...62, "an empty token: natively there is none to be had"),
            (73...73, "the newest first: this library reads feeds forward only"),
            (81...81, "a query's change token: the web services only"),
            (85...85, "advice to apps: nothing that this library could keep or break"),
            (
                106...106,
                "the order in which an engine keeps what it fetches: of apps that have one"
            ),
            (117...118, engine),
        ]
        return reasons.reduce(into: [:]) { table, entry in
            for row in entry.0 { table[row] = entry.1 }
        }
    }()

    /// The rows that a test's name begins with: "row 7, …", "rows 21 and 22, …", "rows 88 to 90, …".
    static func rows(named name: String) -> [Int] {
        var rest = Substring(name)
        guard rest.hasPrefix("row") else { return [] }
        rest = rest.dropFirst(3)
        if rest.first == "s" { rest = rest.dropFirst() }
        var found: [Int] = []
        var isRange = false
        var separators = [" "]
        while let separator = separators.first(where: { rest.hasPrefix($0) }) {
            let number = rest.dropFirst(separator.count).prefix { $0.isNumber }
            guard let row = Int(number) else { break }
            isRange = separator == " to "
            found += isRange ? Array(((found.last ?? row) + 1)...row) : [row]
            rest = rest.dropFirst(separator.count + number.count)
            separators = [", ", " and ", " to "]
        }
        return found
    }

    private static func tested() throws -> [Int: Int] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "swift" }
        var counts: [Int: Int] = [:]
        for file in files {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard let start = line.range(of: "func `") else { continue }
                let name = line[start.upperBound...].prefix { $0 != "`" }
                for row in rows(named: String(name)) { counts[row, default: 0] += 1 }
            }
        }
        return counts
    }

    @Test func `each row is tested or excused`() throws {
        let tested = try Self.tested()
        let left = Self.rows.filter { tested[$0] == nil && Self.excused[$0] == nil }
        #expect(left == [])
        let both = Self.rows.filter { tested[$0] != nil && Self.excused[$0] != nil }
        #expect(both == [])
        #expect(tested.keys.filter { !Self.rows.contains($0) } == [])
        #expect(Self.excused.keys.filter { !Self.rows.contains($0) } == [])
    }

    @Test(arguments: [
        ("row 7, one", [7]), ("rows 21 and 22, two", [21, 22]),
        ("rows 88 to 90, all", [88, 89, 90]),
        ("rows 61, 63 and 64, a token", [61, 63, 64]), ("a row 7", []), ("rows", []),
    ])
    func `rows are read from the names of tests`(name: String, expected: [Int]) {
        #expect(Self.rows(named: name) == expected)
    }
}
