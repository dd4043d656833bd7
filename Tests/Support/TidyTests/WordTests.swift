import Foundation
import RepositoryRoot
import Testing
import ToolRunner

/// `Tests/Support/words.py`, which finds words that texts for users must not contain.
struct WordTests {
    private static let rules = """
        [words]
        nobody|whoever | name the subject
        gone | deleted
        [exempt]
        Sources/Later/* | rewritten later
        [allowed]
        Sources/Done/*.swift | already gone | a word of signed statements

        """

    /// What the check prints about a repository with these files, and its exit status.
    private func check(_ files: [String: String], rules: String = rules) throws
        -> (text: String, status: Int32)
    {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "cksweep-words-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = Repository.url("Tests/Support/words.py")
        var files = files
        files["Tests/Support/words.py"] = try String(contentsOf: script, encoding: .utf8)
        files["Tests/Support/words.txt"] = rules
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let ended = try Tool.run(
            "/bin/sh", ["-c", "git init -q . && python3 -B Tests/Support/words.py --check"],
            folder: folder.path, errors: .joined)
        return (ended.text, ended.status)
    }

    private static let allowed = ["Sources/Done/A.swift": #"let a = "already gone""#]

    @Test(arguments: [
        ("Sources/Done/B.swift", "let b =\n    \"Nobody is here\"", 2),
        ("Sources/Done/B.swift", #"let b = "a \(c("it is gone", d)) b""#, 1),
        ("Sources/Done/B.swift", "let b = #\"say \"it is gone\" now\"#", 1),
        ("Sources/Done/B.swift", "let b = \"\"\"\n    one\n    two gone\n    \"\"\"", 3),
        ("Sources/Done/b.js", "x(`a ${y} gone`)", 1),
        ("README.md", "# A\n\nWhoever reads", 3),
    ])
    func `a word is found where users read it`(file: String, text: String, line: Int) throws {
        let found = try check(Self.allowed.merging([file: text]) { $1 })
        #expect(found.status == 1)
        #expect(found.text.hasPrefix("\(file):\(line): \""), "\(found.text)")
        #expect(found.text.split(separator: "\n").count == 1, "\(found.text)")
    }

    @Test func `comments, names, exempt files and allowed uses are left alone`() throws {
        let found = try check([
            "Sources/Done/A.swift": """
            // nobody
            let nobody = ["already gone", "gone", "SELECT gone FROM t"]
            """,
            "Sources/Later/A.swift": #"let a = "it is gone""#,
            "Tests/A.swift": #"let a = "it is gone""#,
        ])
        #expect(found.text == "" && found.status == 0, "\(found.text)")
    }

    @Test func `an allowed use that is no longer there is found, and so is a malformed rule`()
        throws
    {
        let unused = try check([:])
        #expect(unused.status == 1)
        #expect(
            unused.text.hasPrefix("Tests/Support/words.txt:7: \"already gone\""), "\(unused.text)")
        let malformed = try check(Self.allowed, rules: "[words]\nnobody\n")
        #expect(malformed.status == 1)
        #expect(malformed.text.contains("Tests/Support/words.txt:2:"), "\(malformed.text)")
    }
}
