import Foundation
import RepositoryRoot
import ToolRunner

/// The Swift of a page, for the compiler to read beside what the page takes for granted.
struct SwiftBlocks {
    private let page: Document

    init(_ page: Document) { self.page = page }

    /// What the compiler says; empty where it has nothing to say.
    func problems() async throws -> String {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-swift-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var problems = ""
        var files: [String] = []
        for block in page.blocks where block.language == "swift" && !block.isElsewhere {
            let file = folder.appendingPathComponent("Line\(block.line).swift")
            if block.words.contains("manifest") {
                try manifest(block.text).write(to: file, atomically: true, encoding: .utf8)
                problems += try await compile([file.path], Self.manifests)
            } else {
                try source(block).write(to: file, atomically: true, encoding: .utf8)
                files.append(file.path)
            }
        }
        guard !files.isEmpty else { return problems }
        if FileManager.default.fileExists(atPath: context.path) {
            let copy = folder.appendingPathComponent("Context.swift")
            try FileManager.default.copyItem(at: context, to: copy)
            files.append(copy.path)
        }
        return problems + (try await compile(files, Self.modules))
    }

    /// What the page takes for granted.
    private var context: URL {
        Repository.url("Tests/EndToEnd/DocumentTests/Context/\(page.name).swift.txt")
    }

    /// What statements of the page are inside of, as the first line of its context says.
    private func surroundings() throws -> String? {
        guard FileManager.default.fileExists(atPath: context.path) else { return nil }
        let text = try String(contentsOf: context, encoding: .utf8)
        let words = text.prefix { !$0.isNewline }.split(separator: "// in: ")
        return text.hasPrefix("// in: ") ? words.first.map(String.init) : nil
    }

    /// Declarations stand alone; statements are what a function does.
    private func source(_ block: Document.Block) throws -> String {
        var (imports, rest): ([String], [String]) = ([], [])
        for line in block.text.components(separatedBy: "\n") {
            if line.hasPrefix("import ") { imports.append(line) } else { rest.append(line) }
        }
        if imports.isEmpty { imports = Self.imports(of: page) }
        let text = rest.joined(separator: "\n")
        let isDeclaration = ["@Test", "func ", "struct ", "final ", "actor ", "let service"]
            .contains { text.drop(while: \.isNewline).hasPrefix($0) }
        var body = text
        if !isDeclaration {
            body = "func line\(block.line)() async throws {\n\(text)\n}\n"
            if let place = try surroundings() { body = "\(place) {\n\(body)}\n" }
        }
        return imports.joined(separator: "\n") + "\n" + body
    }

    /// What an article of a module is about is imported.
    private static func imports(of page: Document) -> [String] {
        let module = page.path.split(separator: "/").dropFirst(2).first.map(String.init) ?? ""
        let known = [
            "CloudKit": ["CloudKit", "Foundation"], "CloudKitMock": ["CloudKit", "CloudKitMock"],
            "Intents": ["Intents"], "DonationStore": ["DonationStore"],
            "CoreSpotlight": ["CoreSpotlight", "DonationStore"],
            "UserActivity": ["UserActivity", "DonationStore"], "Commands": ["CloudKit"],
        ]
        return (known[module] ?? ["CloudKit", "Foundation"]).map { "import \($0)" }
            + (module == "CloudKitMock" ? ["import Testing"] : [])
    }

    private func manifest(_ text: String) -> String {
        text.contains("import PackageDescription")
            ? text
            : "import PackageDescription\nlet package = Package(name: \"App\",\n\(text))\n"
    }

    /// The toolchain's `usr/lib/swift`.
    private static let library: URL = {
        let compiler = try? Tool.run("/bin/sh", ["-c", "readlink -f \"$(command -v swiftc)\""])
        let path = compiler?.text.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return URL(fileURLWithPath: path).deletingLastPathComponent()
            .appendingPathComponent("../lib/swift").standardizedFileURL
    }()

    private static let manifests = [
        "-I", library.appendingPathComponent("pm/ManifestAPI").path, "-package-description-version",
        "6.2", "-swift-version", "5",
    ]

    private static let modules: [String] = {
        let built = ShellSession.products
        let sources = Repository.url("Sources/System")
        var maps = ["CSQLite", "COpenSSL", "CCurl", "CNghttp2", "CUnistring"].map {
            sources.appendingPathComponent("\($0)/module.modulemap").path
        }
        maps += ["CShims", "CSimdjson"].map {
            built.appendingPathComponent("\($0).build/module.modulemap").path
        }
        return [
            "-I", built.appendingPathComponent("Modules").path, "-plugin-path",
            library.appendingPathComponent("host/plugins").path, "-swift-version", "6",
        ]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }()

    private func compile(_ files: [String], _ options: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let ended = try Tool.run(
                            "/usr/bin/env",
                            ["swiftc", "-typecheck", "-parse-as-library"]
                                + options + files, errors: .joined)
                        return ended.status == 0 ? "" : ended.text
                    })
            }
        }
    }
}
