import Foundation
import RepositoryRoot
import ToolRunner

/// The blocks of a page that a shell is given, as one session beside a mock server.
struct ShellSession {
    struct Done {
        let problems: [String]
        let output: String
    }

    private let page: Document
    private let root: URL
    private let folder: URL

    /// What begins a part of the output; no program prints it.
    private static let mark: Character = "\u{1e}"

    static func runs(_ block: Document.Block) -> Bool {
        ["sh", "console", "faults"].contains(block.language) && !block.isElsewhere
            || block.language == "json"
    }

    /// A block that is to be run, and would change the machine.
    static func changesMachine(_ block: Document.Block) -> Bool {
        runs(block) && block.text.contains(#/\b(sudo|apt|apt-get|docker|systemctl)\b/#)
    }

    /// Makes what a reader has: a clone, an app beside it, and the program on the path.
    init(_ page: Document) throws {
        self.page = page
        if let block = page.blocks.first(where: Self.changesMachine) {
            throw Document.Malformed(
                description: "\(page):\(block.line): it changes the machine; mark it elsewhere")
        }
        let files = FileManager.default
        root = files.temporaryDirectory.appendingPathComponent("cksweep-page-\(UUID().uuidString)")
        folder = root.appendingPathComponent("clone")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let source = Repository.root
        try files.copyItem(
            at: source.appendingPathComponent("Containers"),
            to: folder.appendingPathComponent("Containers"))
        try files.copyItem(
            at: source.appendingPathComponent("Tests/Cloud/ConfigurationTests/App/Code"),
            to: root.appendingPathComponent("MyApp"))
        try files.createDirectory(
            at: folder.appendingPathComponent("Tests"), withIntermediateDirectories: true)
        try files.createSymbolicLink(
            at: folder.appendingPathComponent("Tests/Examples"),
            withDestinationURL: source.appendingPathComponent("Tests/Examples"))
    }

    /// Where the tests and the programs they need were built.
    static let products: URL = {
        #if os(Linux)
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        #else
            Bundle.main.bundleURL
        #endif
    }()

    private func script() throws -> String {
        var lines = [
            "set -e", "export SHELLOPTS", "cd '\(folder.path)'",
            "mark() { printf '\\n\(Self.mark)%s\\n' \"$1\"; }",
            "export -f mark",
        ]
        for name in ["all", page.name] {
            let setup = Repository.url(
                "Tests/EndToEnd/DocumentTests/Setup/\(name).sh")
            guard FileManager.default.fileExists(atPath: setup.path) else { continue }
            lines += ["mark setup", try String(contentsOf: setup, encoding: .utf8)]
        }
        for block in page.blocks where Self.runs(block) {
            lines.append("mark \(block.line)")
            switch block.language {
            case "console":
                for (number, step) in Transcript(block.text).steps.enumerated() {
                    // What a command ends with is in what it prints.
                    lines += [
                        "mark \(block.line).\(number)", "{ \(step.command)", "} 2>&1 || true",
                        "mark \(block.line)",
                    ]
                }
            case "json" where block.words.isEmpty || block.words == ["list"]:
                let name = try fragment(block)
                lines.append("cksweep containers list \(name) >/dev/null")
            case "json", "faults":
                let name = block.words.first ?? "block.faults"
                lines += ["cat >\(name) <<'END_OF_BLOCK'", block.text + "END_OF_BLOCK"]
                if block.language == "faults" {
                    lines.append("cloudkit-mock exec --any-container --faults \(name) -- true")
                }
            case _ where block.words.contains("server"):
                // Its first line says that it listens.
                lines += [
                    "exec 5< <( \(block.text.trimmingCharacters(in: .newlines))",
                    ")", "read -r ready <&5", "eval \"$(cloudkit-mock env --unset --shell bash)\"",
                ]
            default: lines.append(block.text)
            }
        }
        return (lines + ["mark end", ""]).joined(separator: "\n")
    }

    /// A part of a list, in the list of the example.
    private func fragment(_ block: Document.Block) throws -> String {
        let example = folder.appendingPathComponent("Containers/example.json")
        let whole = try JSONSerialization.jsonObject(with: Data(contentsOf: example))
        let part = try JSONSerialization.jsonObject(with: Data("{\(block.text)}".utf8))
        guard var list = whole as? [String: Any], let part = part as? [String: Any] else {
            throw Document.Malformed(description: "\(page):\(block.line): no object")
        }
        list.merge(part) { $1 }
        let name = "fragments-\(block.line)/list.json"
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: folder.appendingPathComponent("Containers/schemas"),
            to: file.deletingLastPathComponent().appendingPathComponent("schemas"))
        try JSONSerialization.data(withJSONObject: list).write(to: file)
        return name
    }

    /// Runs everything; what was not as the page says.
    func run() async throws -> Done {
        defer { try? FileManager.default.removeItem(at: root) }
        let file = root.appendingPathComponent("session.sh")
        try script().write(to: file, atomically: true, encoding: .utf8)
        let ended = try await started(file)
        let parts = ended.text.split(separator: Self.mark).map { part in
            let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
            return (mark: String(lines.first ?? ""), lines: lines.dropFirst().map(String.init))
        }
        var problems: [String] = []
        if parts.last?.mark != "end" {
            problems.append("it ended with \(ended.status) in line \(parts.last?.mark ?? "0")")
        }
        for block in page.blocks where block.language == "console" && !block.isElsewhere {
            for (number, step) in Transcript(block.text).steps.enumerated() {
                let part = parts.first { $0.mark == "\(block.line).\(number)" }
                guard let part, !Transcript.fits(part.lines, step.expected) else { continue }
                problems.append(
                    "line \(block.line): \(step.command): printed\n"
                        + part.lines.joined(separator: "\n"))
            }
        }
        return Done(problems: problems, output: ended.text)
    }

    private func started(_ file: URL) async throws -> Tool.Ended {
        var variables = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("CKSWEEP") && !$0.key.hasPrefix("CLOUDKIT")
        }
        variables["PATH"] = "\(Self.products.path):\(variables["PATH"] ?? "")"
        variables["HOME"] = root.path
        variables["XDG_STATE_HOME"] = root.appendingPathComponent("state").path
        variables["SHELL"] = "/bin/bash"
        // Through a pipe, as somebody pastes it: a shell that a line starts reads what comes after.
        let line = "cat \"$0\" | cloudkit-mock exec --seed Containers/fixtures/demo.json -- bash"
        let (given, place) = (variables, folder.path)
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try Tool.run(
                            "/bin/bash", ["-c", line, file.path], variables: given, folder: place,
                            errors: .joined)
                    })
            }
        }
    }
}
