import Foundation
import RepositoryRoot
import Testing
import ToolRunner

/// The completions in real shells on a terminal, with a state folder that a run has left.
@Suite(.timeLimit(.minutes(10)))
struct ShellTests {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        var isThere: Bool {
            ["/bin/", "/usr/bin/"].contains {
                FileManager.default.isExecutableFile(atPath: $0 + rawValue)
            }
        }
    }

    /// A folder with a list, fixtures and a run.
    private final class Home {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-shell-\(UUID().uuidString)").path
        let run: String

        init() throws {
            try FileManager.default.createDirectory(
                atPath: "\(path)/Containers", withIntermediateDirectories: true)
            for name in ["example.json", "schemas", "fixtures"] {
                try FileManager.default.copyItem(
                    atPath: Repository.url("Containers/\(name)").path,
                    toPath: "\(path)/Containers/\(name)"
                )
            }
            try Data().write(to: URL(fileURLWithPath: "\(path)/my own.plan"))
            let program = Tool.built("cksweep")
            let ended = try Tool.run(
                program,
                [
                    "mock", "exec", "--state", "\(path)/m", "--", program, "plan", "--rehearsal",
                    "--json", "--state", "\(path)/s", "-o", "\(path)/one.plan",
                ], folder: path, errors: .joined)
            let runs = "\(path)/s/rehearsal"
            try #require(FileManager.default.fileExists(atPath: runs), "\(ended.text)")
            let list = try Tool.run(
                program, ["__complete", "report", "--state", "\(path)/s", "2"], folder: path)
            run = String(list.text.prefix { $0 != "\t" })
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// The words that a shell runs once a tabulator was typed at the end of a line.
    private func complete(_ shell: Shell, _ line: String, in home: Home) throws -> [String] {
        let ended = try Tool.run(
            "/usr/bin/python3",
            [
                "-B", Repository.url("Tests/EndToEnd/PackagingTests/completing.py").path,
                shell.rawValue, Tool.built(String(line.prefix { $0 != " " })), home.path,
                line + "\t",
            ], errors: .joined)
        try #require(ended.status == 0, "\(ended.text)")
        return ended.text.split(separator: "\n").map { String($0) }
    }

    @Test(arguments: Shell.allCases)
    func `verbs, options, values and names are completed`(shell: Shell) throws {
        try #require(shell.isThere, "\(shell) is not installed; scripts/test installs it")
        let home = try Home()
        #expect(home.run.count > 20)
        let lines: [(typed: String, run: [String])] = [
            ("cksweep mock exe", ["mock", "exec"]),
            ("cksweep plan --detail", ["plan", "--detailed-exitcode"]),
            ("cksweep plan --color al", ["plan", "--color", "always"]),
            ("cksweep plan --color=al", ["plan", "--color=always"]),
            ("cksweep report --state s 2", ["report", "--state", "s", home.run]),
            (
                "cksweep sync sign-out iCloud.com.example.myexampleapp.d",
                ["sync", "sign-out", "iCloud.com.example.myexampleapp.documents"]
            ),
            ("cksweep sync unfence Dev", ["sync", "unfence", "Devices"]),
            (
                "cloudkit-mock log requests --zone Ide",
                ["log", "requests", "--zone", "Ideas & drafts (2024)"]
            ),
            ("cksweep mock exec --as b", ["mock", "exec", "--as", "bob"]),
            ("cloudkit-mock exec --as b", ["exec", "--as", "bob"]),
            ("cloudkit-mock seed Containers/fixtures/d", ["seed"]),
            (
                "cloudkit-mock serve --seed Containers/fixtures/def",
                ["serve", "--seed", "Containers/fixtures/default-zone-only.json"]
            ),
            ("cksweep apply my", ["apply", "my own.plan"]),
            ("cksweep apply --json-into=my", ["apply", "--json-into=my own.plan"]),
        ]
        for line in lines {
            let run = try complete(shell, line.typed, in: home)
            #expect(run.prefix(line.run.count) == line.run[...], "\(line.typed)")
        }
    }
}
