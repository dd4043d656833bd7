import Foundation
import RepositoryRoot
import Testing
import ToolRunner

/// The programs behind `scripts/test`: what it says of failures, and what it chooses for a change.
struct TestScriptTests {
    private static let python = "/usr/bin/python3"

    private static func script(_ name: String) -> String {
        Repository.url("Tests/Support/\(name)").path
    }

    private static let id = "SampleTests.Rules/`a rule, kept`()/Rules.swift:7:6"

    /// The events of a program with one test, as Swift Testing writes them.
    private static func events(_ events: String...) -> String {
        let described = """
            {"kind":"test","payload":{"id":"\(id)","kind":"function","displayName":"a rule, kept",\
            "name":"`a rule, kept`()","sourceLocation":{"filePath":"/x/Rules.swift","line":7}}}
            """
        return ([described] + events).joined(separator: "\n") + "\n"
    }

    private static func event(_ kind: String, _ more: String = "") -> String {
        """
        {"kind":"event","payload":{"kind":"\(kind)","testID":"\(id)",\
        "instant":{"absolute":1.5}\(more)}}
        """
    }

    private static let failure = event(
        "issueRecorded",
        """
        ,"issue":{"isKnown":false,"severity":"error","sourceLocation":{"filePath":"/x/Rules.swift",\
        "line":9}},"messages":[{"text":"Expectation failed: a == b"},{"text":"CKSWEEP_SEED=41: zone"}]
        """)

    /// The summary of one program that ended with `status`, and the exit status of the summary.
    private func summary(status: Int, events: String?) throws -> (text: String, status: Int32) {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "cksweep-summary-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try #"{"status": \#(status), "seconds": 3}"#.write(
            to: folder.appending(path: "main.json"), atomically: true, encoding: .utf8)
        try events?.write(
            to: folder.appending(path: "main.jsonl"), atomically: true, encoding: .utf8)
        let ended = try Tool.run(
            Self.python, ["-B", Self.script("run_tests.py"), folder.path, "summary"],
            errors: .joined)
        return (ended.text, ended.status)
    }

    @Test func `a failed test is named with its place, its seed and the command that repeats it`()
        throws
    {
        let found = try summary(
            status: 1,
            events: Self.events(Self.event("testStarted"), Self.failure, Self.event("testEnded")))
        #expect(found.status == 1)
        #expect(
            found.text.contains(
                """
                ✘ a rule, kept
                  /x/Rules.swift:9: Expectation failed: a == b CKSWEEP_SEED=41: zone
                  repeat: CKSWEEP_SEED=41 scripts/test --filter '^SampleTests.Rules/.a rule, kept...'
                """), "\(found.text)")
        #expect(found.text.hasSuffix("0 passed, 1 failed, 0 skipped\n"), "\(found.text)")
    }

    @Test func `a test that passed is counted, and the run succeeds`() throws {
        let found = try summary(
            status: 0, events: Self.events(Self.event("testStarted"), Self.event("testEnded")))
        #expect(found.status == 0, "\(found.text)")
        #expect(found.text.hasSuffix("1 passed, 0 failed, 0 skipped\n"), "\(found.text)")
    }

    @Test(arguments: [
        (events(event("testStarted")), "had not ended"),
        (events(event("testStarted"), event("testEnded")), "exit status -11, and no test failed"),
        (events() + #"{"kind":"ev"#, "exit status -11"), (nil, "exit status -11"),
    ])
    func `a program that crashed is a failure, whatever it had printed by then`(
        events: String?, says: String
    ) throws {
        let found = try summary(status: -11, events: events)
        #expect(found.status == 1 && found.text.contains(says), "\(found.text)")
    }

    @Test func `a run without a test is no success`() throws {
        #expect(try summary(status: 0, events: Self.events()).status == 1)
    }

    @Test(arguments: [
        (["Sources/Low/A.swift"], ["HighTests", "LowTests", "TidyTests"]),
        (["Sources/High/B.swift"], ["HighTests", "TidyTests"]),
        (["Tests/LowTests/C.swift"], ["LowTests", "TidyTests"]),
        (["Sources/LowOther/D.swift"], ["OtherTests", "TidyTests"]),
        (["Package.swift"], ["HighTests", "LowTests", "OtherTests", "TidyTests"]),
        (
            ["README.md"],
            ["ConfigurationTests", "DocumentTests", "PackagingTests", "TidyTests"]
        ),
        (
            ["Tests/Sweep/Cases/C01/containers.json"],
            [
                "CommandsTests", "ConfigurationTests", "DocumentTests", "PackagingTests",
                "TidyTests",
            ]
        ),
    ])
    func `the tests of a change are those that use what changed, directly or through others`(
        files: [String], expected: [String]
    ) throws {
        func target(_ name: String, _ path: String, _ uses: [String], _ type: String) -> String {
            let uses = uses.map { "\"\($0)\"" }.joined(separator: ",")
            return """
                {"name":"\(name)","path":"\(path)","type":"\(type)","target_dependencies":[\(uses)]}
                """
        }
        let targets = [
            target("Low", "Sources/Low", [], "library"),
            target("LowOther", "Sources/LowOther", [], "library"),
            target("High", "Sources/High", ["Low"], "library"),
            target("LowTests", "Tests/LowTests", ["Low"], "test"),
            target("HighTests", "Tests/HighTests", ["High"], "test"),
            target("OtherTests", "Tests/OtherTests", ["LowOther"], "test"),
        ]
        let ended = try Tool.run(
            Self.python, ["-B", Self.script("changed_tests.py")] + files,
            input: Array(#"{"targets":[\#(targets.joined(separator: ","))]}"#.utf8),
            errors: .joined)
        #expect(ended.status == 0)
        #expect(ended.text.split(separator: "\n").map(String.init) == expected, "\(ended.text)")
    }

    /// What `modules.py` says of a package with these modules, as their folders and imports.
    private func modules(
        _ targets: [(path: String, uses: [String])], in folder: URL, _ arguments: [String]
    ) throws -> (status: Int32, text: String) {
        let described = targets.map { path, uses in
            let name = path.split(separator: "/").last ?? ""
            let uses = uses.map { "\"\($0)\"" }.joined(separator: ",")
            return """
                {"name":"\(name)","path":"\(path)","type":"library","target_dependencies":[\(uses)]}
                """
        }
        let ended = try Tool.run(
            "/bin/sh",
            ["-c", "cd \"$1\" && shift && PATH=.:$PATH exec python3 -B \"$@\"", "sh", folder.path]
                + [Self.script("modules.py")] + arguments,
            input: Array(#"{"targets":[\#(described.joined(separator: ","))]}"#.utf8),
            errors: .joined)
        return (ended.status, ended.text)
    }

    @Test func `an import that goes upward, and a module in no room, are found`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "rooms-\(UUID().uuidString)")
        let picture = folder.appending(
            path: "Sources/Sweep/Commands/Commands.docc/Resources/modules.svg")
        try FileManager.default.createDirectory(
            at: picture.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Graphviz, as far as the script can tell.
        let dot = folder.appending(path: "dot")
        try Data("#!/bin/sh\ncat >dot.txt\necho '<svg >'\n".utf8).write(to: dot)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: dot.path)
        let good: [(path: String, uses: [String])] = [
            ("Sources/System/Low", []), ("Sources/Apple/High", ["Low"]),
            ("Tests/Support/T", ["High"]),
        ]
        let stale = try modules(good, in: folder, ["--check"])
        #expect(stale.status == 1 && stale.text.contains("modules.svg: shows another package"))
        #expect(try modules(good, in: folder, []).status == 0)
        let drawn = try modules(good, in: folder, ["--check"])
        #expect(drawn.status == 0 && drawn.text.isEmpty, "\(drawn.text)")
        let other = try modules(good.dropLast(2) + good.suffix(1), in: folder, ["--check"])
        #expect(other.status == 1 && other.text.contains("modules.svg: shows another package"))
        let upward = try modules(
            [("Sources/System/Low", ["High"]), ("Sources/Apple/High", [])], in: folder, ["--check"])
        #expect(
            upward.status == 1
                && upward.text.contains("Low in System imports High in Apple, which is above it"))
        let armed = try modules(
            [("Sources/Mock/Server", []), ("Sources/Sweep/Tool", ["Server"])], in: folder,
            ["--check"])
        #expect(
            armed.status == 1
                && armed.text.contains("Tool in Sweep imports Server in Mock: run its program"))
        let lost = try modules([("Sources/Low", [])], in: folder, [])
        #expect(lost.status == 1 && lost.text.contains("Sources/Low: lies in no room"))
    }

    @Test(arguments: [
        ("let a = 1", "statement", 0), ("let a = 3", "statement", 1),
        ("let a = 1; let a = 1", "statement", 1), ("let a = 1", "expression", 1),
    ])
    func `a planted bug that does not fit its file is refused`(
        source: String, way: String, status: Int32
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "planted-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(source.utf8).write(to: folder.appending(path: "A.swift"))
        let table = folder.appending(path: "table.txt")
        let row = """
            [another-value]
            file: A.swift
            - let a = 1
            + let a = 2
            way: \(way)
            tests: ATests
            why: The value is another.
            """
        try Data(row.utf8).write(to: table)
        let script = Repository.url("Tests/Mutations/mutate.py").path
        let ended = try Tool.run(
            Self.python, ["-B", script, folder.path, "--check", "--table", table.path],
            errors: .joined)
        #expect(ended.status == status, "\(ended.text)")
        #expect(ended.text.contains("error: ") == (status != 0), "\(ended.text)")
    }
}
