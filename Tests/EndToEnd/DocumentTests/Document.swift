import Foundation
import RepositoryRoot

/// A page of the documentation, and the blocks of it that somebody might paste.
struct Document: Sendable, CustomStringConvertible {
    /// What stands between two fences.
    struct Block: Sendable {
        /// Where its opening fence is, from 1.
        let line: Int
        /// The first word behind the fence.
        let language: String
        /// The words after that.
        let words: [String]
        let text: String

        var isElsewhere: Bool { words.contains("elsewhere") }
    }

    /// From the top of the repository.
    let path: String
    let lines: [String]
    let blocks: [Block]

    var description: String { path }

    /// What the tests keep for this page: `README`, `Containers`, or the name of an article.
    var name: String {
        let words = path.split(separator: "/")
        let file = words.last.map { String($0.dropLast(3)) } ?? ""
        return file == "README" && words.count > 1 ? String(words[words.count - 2]) : file
    }

    init(path: String) throws {
        self.path = path
        let text = try String(
            contentsOf: Repository.url(path), encoding: .utf8)
        lines = text.components(separatedBy: "\n")
        blocks = try Self.blocks(of: lines, in: path)
    }

    /// A fence that nothing closes, or in a place where it is not seen.
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    private static func blocks(of lines: [String], in path: String) throws -> [Block] {
        var blocks: [Block] = []
        var open: (line: Int, info: [String], text: [String])?
        for (index, line) in lines.enumerated() {
            let isFence = line.hasPrefix("```")
            if !isFence, line.drop(while: { $0 == " " }).hasPrefix("```") {
                throw Malformed(description: "\(path):\(index + 1): a fence that is indented")
            }
            guard var block = open else {
                guard isFence else { continue }
                let info = line.dropFirst(3).split(separator: " ").map(String.init)
                open = (index + 1, info, [])
                continue
            }
            if isFence {
                blocks.append(
                    Block(
                        line: block.line, language: block.info.first ?? "",
                        words: Array(block.info.dropFirst()),
                        text: block.text.map { $0 + "\n" }.joined()))
                open = nil
            } else {
                block.text.append(line)
                open = block
            }
        }
        if let open { throw Malformed(description: "\(path):\(open.line): nothing closes it") }
        return blocks
    }

    /// README, what explains lists and examples, and the articles of all rooms and modules.
    static let all: [Document] = {
        let pages = ["README.md", "Containers/README.md", "Tests/Examples/README.md"]
        let sources = FileManager.default.subpaths(atPath: Repository.root.path + "/Sources") ?? []
        let articles = sources.filter { $0.hasSuffix(".md") }.sorted()
        return (pages + articles.map { "Sources/\($0)" }).map { path in
            do {
                return try Document(path: path)
            } catch {
                preconditionFailure("\(error)")
            }
        }
    }()
}
