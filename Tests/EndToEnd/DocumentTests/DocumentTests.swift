import CommandLine
import Commands
import Foundation
import MockCommands
import RepositoryRoot
import Testing

/// Everything that the documentation invites to paste, done as it says.
@Suite(.timeLimit(.minutes(30)))
struct DocumentTests {
    /// Pages whose blocks other tests run.
    static let testedElsewhere: Set = ["Sources/Sweep/Evidence/Evidence.docc/Checking.md"]

    static let sessions = Document.all.filter { page in
        !testedElsewhere.contains(page.path) && page.blocks.contains { ShellSession.runs($0) }
    }
    static let programs = Document.all.filter { page in
        page.blocks.contains { $0.language == "swift" && !$0.isElsewhere }
    }

    /// What a fence may be called, so that nothing stands there unseen.
    @Test func `every block says what it is, and few cannot be run here`() {
        var counts: [String: Int] = [:]
        for page in Document.all {
            for block in page.blocks {
                let known = ["sh", "console", "json", "swift", "faults", "python", "text"]
                #expect(known.contains(block.language), "\(page):\(block.line)")
                counts[block.isElsewhere ? "elsewhere" : block.language, default: 0] += 1
            }
        }
        // A page that gets more of these has to move this bound, and to say why.
        #expect(counts["elsewhere", default: 0] <= 18, "\(counts)")
        // What is printed or drawn, and the forms of texts.
        #expect(counts["text", default: 0] <= 12, "\(counts)")
        #expect(counts["sh", default: 0] >= 20 && counts["swift", default: 0] >= 15, "\(counts)")
    }

    /// Four blanks make a block as well, which no test would see.
    @Test func `no block is made by blanks`() {
        for page in Document.all {
            var isFenced = false
            var isInList = false
            for (index, line) in page.lines.enumerated() {
                if line.hasPrefix("```") { isFenced.toggle() }
                if line.hasPrefix("- ") || line.hasPrefix("1.") { isInList = true }
                if !line.isEmpty, !line.hasPrefix(" "), !line.hasPrefix("- ") { isInList = false }
                let isBlock = line.hasPrefix("    ") && !isFenced && !isInList
                #expect(!isBlock, "\(page):\(index + 1)")
            }
        }
    }

    @Test(arguments: sessions)
    func `what is shown for a shell works, in its order`(page: Document) async throws {
        let session = try ShellSession(page)
        let done = try await session.run()
        #expect(done.problems == [], "\(page)\n\(done.output.suffix(4000))")
    }

    @Test(arguments: programs)
    func `what is shown in Swift compiles`(page: Document) async throws {
        let problems = try await SwiftBlocks(page).problems()
        #expect(problems == "", "\(page)")
    }

    /// Commands that need Apple's host, a person or a month are read as the program reads them.
    @Test func `commands that are not run are ones that the program takes`() throws {
        for page in Document.all {
            for block in page.blocks where block.isElsewhere && block.language == "sh" {
                for line in block.text.split(separator: "\n") {
                    let words = ShellLine.words(of: line)
                    guard
                        let program = [Program.cksweep, .cloudkitMock].first(where: {
                            $0.name == words.first
                        })
                    else { continue }
                    do throws(UsageError) {
                        let typed = Array(words.dropFirst())
                        let (type, count) = try program.find(typed)
                        _ = try type.init(
                            arguments: ArgumentScanner.scan(
                                Array(typed.dropFirst(count)), for: type.verb, of: program.name))
                    } catch {
                        Issue.record("\(page):\(block.line): \(line): \(error.message)")
                    }
                }
            }
        }
    }

    @Test func `the first page stays short`() throws {
        #expect(try Document(path: "README.md").lines.count <= 151)
    }

    @Test func `pictures are small`() throws {
        let sources = FileManager.default.subpaths(atPath: Repository.root.path + "/Sources") ?? []
        let pictures = sources.filter { $0.hasSuffix(".png") }
        #expect(pictures.count >= 2)
        for picture in pictures {
            let file = Repository.url("Sources/\(picture)")
            #expect(try Data(contentsOf: file).count <= 150_000, "\(picture)")
        }
    }

    @Test func `pages name files that are there`() throws {
        let link = try Regex(#"(?:\]\(|src(?:set)?=")([^)#:"]+)(?:#[^)]*)?[)"]"#)
        for page in Document.all {
            let folder = Repository.url(page.path).deletingLastPathComponent()
            for match in page.lines.joined(separator: "\n").matches(of: link) {
                let target = String(match.output[1].substring ?? "")
                let file = folder.appendingPathComponent(target)
                #expect(
                    FileManager.default.fileExists(atPath: file.path), "\(page): \(target)")
            }
        }
    }
}
