import Foundation
import RepositoryRoot
import ToolRunner

/// What the compiler says is public in a module.
struct SymbolGraph {
    private struct File: Decodable {
        struct Symbol: Decodable {
            struct Comment: Decodable {}
            struct Fragment: Decodable { var spelling: String }
            var pathComponents: [String]
            var declarationFragments: [Fragment]
            var docComment: Comment?
        }
        var symbols: [Symbol]
    }

    struct Failed: Error { let output: String }

    /// What every class or value has from protocols that need no words.
    private static let conventional: Set = [
        "==(_:_:)", "hash(into:)", "hashValue", "init(rawValue:)", "rawValue", "encode(with:)",
        "init(coder:)", "supportsSecureCoding", "copy(with:)", "mutableCopy(with:)", "isEqual(_:)",
        "hash", "description", "debugDescription", "encode(to:)", "init(from:)", "errorCode",
        "errorDomain", "errorUserInfo", "ArrayLiteralElement", "RawValue", "Element",
    ]

    /// Each public symbol with its declaration, sorted.
    let lines: [String]
    /// The symbols that have no documentation.
    let bare: [String]

    /// Has the compiler list a built module's public symbols.
    static func of(_ module: String) throws -> SymbolGraph {
        let built = Repository.built
        let sources = Repository.url("Sources/System")
        var maps = ["CSQLite", "COpenSSL", "CCurl", "CNghttp2", "CUnistring"].map {
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
        let ended = try Tool.run(
            "/usr/bin/env",
            [
                "swift", "symbolgraph-extract", "-module-name", module, "-I",
                built.appendingPathComponent("Modules").path, "-target", target, "-output-dir",
                folder.path, "-minimum-access-level", "public", "-skip-synthesized-members",
            ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }, errors: .joined)
        guard ended.status == 0 else { throw Failed(output: ended.text) }
        var symbols: [File.Symbol] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let data = try Data(contentsOf: folder.appendingPathComponent(file))
            symbols += try JSONDecoder().decode(File.self, from: data).symbols
        }
        return SymbolGraph(symbols)
    }

    private init(_ symbols: [File.Symbol]) {
        lines = Set(
            symbols.map { symbol in
                let declaration = symbol.declarationFragments.map(\.spelling).joined()
                    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
                return symbol.pathComponents.joined(separator: ".") + ": " + declaration
            }
        ).sorted()
        bare = symbols.filter { symbol in
            symbol.docComment == nil
                && !Self.conventional.contains(symbol.pathComponents.last ?? "")
        }.map { $0.pathComponents.joined(separator: ".") }.sorted()
    }
}
