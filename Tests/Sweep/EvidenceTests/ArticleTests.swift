import Evidence
import Foundation
import RepositoryRoot
import Testing
import ToolRunner

/// What the article on checking says, done as it says it.
struct ArticleTests {
    /// The lines of the article's block in a language.
    private func block(_ language: String) throws -> String {
        let article = try Repository.text("Sources/Sweep/Evidence/Evidence.docc/Checking.md")
        let parts = article.split(separator: "```\(language)\n")
        #expect(parts.count == 2)
        return String(try #require(parts.last?.split(separator: "```").first))
    }

    /// A folder as somebody is given it.
    private func folder() throws -> Scratch {
        let scratch = try Scratch()
        let sample = SampleCase()
        let key = try Vectors.key()
        _ = try scratch.write(try sample.statement().signed(by: [key]).bytes, to: "RUN.json")
        _ = try scratch.write(
            Array(sample.events.map { $0 + [0x0A] }.joined()), to: "RUN.events.jsonl")
        _ = try scratch.write(key.verifying.key.pem, to: "operator.pub.pem")
        return scratch
    }

    /// Changes a file of the folder in one place.
    private func damage(
        _ name: String, _ old: String, _ new: String, in scratch: Scratch
    ) throws {
        let text = String(decoding: try scratch.read(name), as: UTF8.self)
        #expect(text.contains(old))
        _ = try scratch.write(utf8(text.replacing(old, with: new)), to: name)
    }

    @Test func `the lines with openssl verify a statement, and no other`() throws {
        let script = "set -e\n" + (try block("sh"))
        #expect(script.split(separator: "\n").count { $0.contains("openssl") } == 3)
        let scratch = try folder()
        func run() throws -> Tool.Ended {
            try Tool.run("/bin/sh", ["-c", script], folder: scratch.path)
        }
        let good = try run()
        #expect(good.status == 0 && good.text.contains("Signature Verified Successfully"))
        #expect(try scratch.read("body") == SampleCase().statement().bytes)
        try damage("RUN.json", "\"payload\":\"eyJf", "\"payload\":\"eyJg", in: scratch)
        #expect(try run().status != 0)
    }

    @Test func `the checker verifies signature, sums and events, and refuses others`() throws {
        let program = try block("python")
        #expect(program.split(separator: "\n").count <= 36)
        func run(_ scratch: Scratch) throws -> Tool.Ended {
            try Tool.run(
                "/usr/bin/env", ["python3", "-B", "-c", program, "RUN", "operator.pub.pem"],
                folder: scratch.path, errors: .kept)
        }
        let good = try run(try folder())
        #expect(good.status == 0, "\(good.errors)")
        #expect(good.text.hasPrefix("complete https://api.apple-cloudkit.com {"))
        let changed = try folder()
        try damage("RUN.json", "\"payload\":\"eyJf", "\"payload\":\"eyJg", in: changed)
        #expect(try run(changed).errors.contains("refused: the signature"))
        let told = try folder()
        try damage("RUN.events.jsonl", "\"deleted\":3", "\"deleted\":2", in: told)
        #expect(try run(told).errors.contains("refused: R12"))
        for (lie, word) in [("found", "R1"), ("counts", "R3")] {
            let forged = try folder()
            let envelope = try SampleCase().forged { predicate in
                if lie == "counts" {
                    var counts = try #require(predicate["counts"] as? [String: Any])
                    counts["deleted"] = 99
                    predicate["counts"] = counts
                } else {
                    var rows = try #require(predicate["coverage"] as? [[String: Any]])
                    rows[0]["found"] = 99
                    predicate["coverage"] = rows
                }
            }
            _ = try forged.write(envelope, to: "RUN.json")
            #expect(try run(forged).errors.contains("refused: \(word)"))
        }
    }
}
