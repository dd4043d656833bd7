import Foundation
import RepositoryRoot
import Testing
import ToolRunner

/// The tables from which the code of the system's intents is written.
struct IntentTableTests {
    /// Runs the tool over one table, and gives what it wrote or what it complains of.
    private func written(_ table: String) throws -> (status: Int32, text: String) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("intent-table-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Soup.intents")
        try Data(table.utf8).write(to: file)
        let ended = try Tool.run(
            Repository.built.appendingPathComponent("IntentTables").path,
            [folder.path, file.path], errors: .joined)
        guard ended.status == 0 else { return (ended.status, ended.text) }
        let code = folder.appendingPathComponent("Soup.swift")
        return (0, try String(contentsOf: code, encoding: .utf8))
    }

    @Test func `an entry becomes an intent, its response, its codes and its handler`() throws {
        let (status, code) = try written(
            """
            # Soup
            /// An order.
            intent INOrderSoupIntent
              soup: String? -> INStringResolutionResult
              codes unspecified
                success
            """)
        #expect(status == 0)
        for line in [
            "/// An order.", "public final class INOrderSoupIntent: INIntent {",
            "public convenience init(soup: String?) {",
            "case unspecified", "case success",
            "func resolveSoup(for intent: INOrderSoupIntent) async -> INStringResolutionResult",
            "override class var systemTitle: String? { \"Order soup\" }",
        ] { #expect(code.contains(line), "\(line)") }
    }

    @Test(arguments: [
        ("soup\n", ":1: error: begins with none of intent, value, enum"),
        ("  soup: String\n", ":1: error: a part of nothing"),
        ("intent INA\n\n", ":1: error: INA has no codes"),
        ("intent INA\n   soup: String\n", ":2: error: a part is indented by two spaces"),
        ("intent INA\n  soup\n", ":2: error: a property is written NAME: TYPE, not “soup”"),
        ("value INA\n  a: Soup\n", "error: no table has a fallback for the type “Soup”"),
        ("value INA\n  a: Int -> Soup\n", ":2: error: a resolution is a …ResolutionResult"),
        ("enum INA from x: a b\n", ":1: error: an enumeration is written"),
        ("result soup A: B\n", ":1: error: a result is a choice, a constant"),
        ("enum INA: a\n  b\n", ":1: error: only an intent and a value have parts"),
    ])
    func `a wrong line is an error that names its place`(table: String, message: String) throws {
        let (status, text) = try written(table)
        #expect(status == 1)
        #expect(text.contains(message), "\(text)")
    }

    @Test func `no intent takes more than 60 lines`() throws {
        let folder = Repository.url("Sources/Apple/Intents")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".intents") }
        var counts: [String: Int] = [:]
        for file in files {
            let text = try String(
                contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            var open: String?
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if !line.hasPrefix("  ") {
                    open = line.hasPrefix("intent ") ? String(line.dropFirst(7)) : nil
                }
                if let open { counts[open, default: 0] += 1 }
            }
        }
        #expect(counts.count > 60)
        #expect(counts.filter { $0.value > 60 } == [:])
    }
}
