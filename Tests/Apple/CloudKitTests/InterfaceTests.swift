import Foundation
import RepositoryRoot
import Testing

/// The library's public interface, as the compiler sees it, against the committed list.
///
/// `api.txt` has a line for each of Apple's names and each of our own: `done`, `partial` with what
/// is missing, `absent` with the reason, or `own` for what Apple's framework does not have.
struct InterfaceTests {
    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Comment: Decodable {}
            var pathComponents: [String]
            var docComment: Comment?
        }
        var symbols: [Symbol]
    }

    private struct Promise {
        var mark: String
        var name: String
        var reason: String?
    }

    /// What every value or class has from the protocols it conforms to.
    private static let conventional: Set = [
        "==(_:_:)", "hash(into:)", "hashValue", "init(rawValue:)", "rawValue", "encode(with:)",
        "init(coder:)", "supportsSecureCoding", "copy(with:)", "isEqual(_:)", "hash",
        "description", "debugDescription", "customMirror", "errorCode", "errorDomain",
        "errorUserInfo", "_nsError", "_nsErrorDomain", "init(_nsError:)", "copy()",
    ]

    private static let symbols = Result { try extract() }

    /// Has the compiler list the module's public symbols.
    private static func extract() throws -> [Graph.Symbol] {
        let built = URL(fileURLWithPath: Program.path("cksweep")).deletingLastPathComponent()
        let sources = Repository.url("Sources/System")
        var maps = ["CSQLite", "COpenSSL", "CCurl", "CNghttp2"].map {
            sources.appendingPathComponent("\($0)/module.modulemap").path
        }
        maps += ["CShims", "CSimdjson"].map {
            built.appendingPathComponent("\($0).build/module.modulemap").path
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-symbols-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #if arch(x86_64)
            let target = "x86_64-unknown-linux-gnu"
        #else
            let target = "aarch64-unknown-linux-gnu"
        #endif
        let ended = try Program.run(
            "/usr/bin/env",
            [
                "swift", "symbolgraph-extract", "-module-name", "CloudKit", "-I",
                built.appendingPathComponent("Modules").path, "-target", target, "-output-dir",
                folder.path, "-minimum-access-level", "public", "-skip-synthesized-members",
            ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] })
        guard ended.status == 0 else { throw Failed(output: ended.output) }
        return try ["CloudKit", "CloudKit@Foundation"].flatMap { name in
            let file = folder.appendingPathComponent("\(name).symbols.json")
            return try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file)).symbols
        }
    }

    private struct Failed: Error { let output: String }

    private func promises() throws -> [Promise] {
        let file = Repository.url("Tests/Apple/CloudKitTests/api.txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            let words = line.split(separator: " ", maxSplits: 1)
            let mark = String(words[0])
            let rest = String(words[1])
            guard mark == "partial" || mark == "absent" else {
                return Promise(mark: mark, name: rest)
            }
            let parts = try #require(rest.range(of: ": "))
            return Promise(
                mark: mark, name: String(rest[..<parts.lowerBound]),
                reason: String(rest[parts.upperBound...]))
        }
    }

    private func names() throws -> Set<String> {
        Set(
            try Self.symbols.get()
                .filter { !Self.conventional.contains($0.pathComponents.last ?? "") }
                .map { $0.pathComponents.joined(separator: ".") })
    }

    @Test func `each promised name is there, and each absent one is not`() throws {
        let (names, promises) = (try names(), try promises())
        let missing = promises.filter { $0.mark != "absent" && !names.contains($0.name) }
        #expect(missing.map(\.name) == [])
        let there = promises.filter { $0.mark == "absent" && names.contains($0.name) }
        #expect(there.map(\.name) == [])
        let marks: Set = ["done", "partial", "absent", "own"]
        #expect(promises.filter { !marks.contains($0.mark) }.map(\.name) == [])
        #expect(promises.filter { $0.reason == "" }.map(\.name) == [])
    }

    @Test func `nothing is public that the list does not have`() throws {
        let promised = Set(try promises().map(\.name))
        #expect(try names().subtracting(promised).sorted() == [])
    }

    @Test func `everything public says what it is`() throws {
        let bare = try Self.symbols.get().filter { symbol in
            symbol.docComment == nil
                && !Self.conventional.contains(symbol.pathComponents.last ?? "")
        }
        #expect(bare.map { $0.pathComponents.joined(separator: ".") } == [])
    }
}
