import Commands
import Foundation
import RepositoryRoot
import Testing

/// Commands that the mock server names: in its pages, its messages and its articles.
struct NamedCommandTests {
    /// What looks like a command and is a thing.
    private static let things: Set<String> = ["mock server", "mock cloud", "mock end"]

    /// The commands that a text names, each as its words.
    private func commands(in text: String) -> [String] {
        let full = text.matches(of: /cksweep mock ([a-z-]+)/).map { "mock " + String($0.1) }
        let quoted = text.matches(of: /["`]mock ([a-z-]+)[^a-z-]/).map { "mock " + String($0.1) }
        let others = text.matches(of: /[`"]cksweep ([a-z-]+)/).map { String($0.1) }
        return (full + quoted + others.filter { $0 != "mock" }).filter { !Self.things.contains($0) }
    }

    private func texts(_ module: String) throws -> [(file: String, text: String)] {
        let folder = Repository.url("Sources/\(module)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try files.filter { file in
            [".swift", ".js", ".html", ".md"].contains { file.hasSuffix($0) }
        }.map { file in
            let path = folder.appendingPathComponent(file).path
            return (file, try String(contentsOfFile: path, encoding: .utf8))
        }
    }

    @Test(arguments: ["Mock/MockServer", "Apple/CloudKitMock", "System/Host"])
    func `every command that is named exists`(module: String) throws {
        let verbs = VerbTable.verbs.map(\.name)
        for (file, text) in try texts(module) {
            for command in commands(in: text) {
                let isKnown = verbs.contains { $0 == command || $0.hasPrefix(command + " ") }
                #expect(isKnown, "\(module)/\(file): \(command)")
            }
        }
    }

    @Test func `commands are found in pages and messages`() throws {
        let named = try texts("Mock/MockServer").flatMap { commands(in: $0.text) }
        #expect(named.contains("mock start") && named.contains("mock env"))
        #expect(commands(in: #"empty("Use cksweep mock nothing, or")"#) == ["mock nothing"])
        #expect(commands(in: #""stop it, then \"mock nothing\" says""#) == ["mock nothing"])
    }
}
