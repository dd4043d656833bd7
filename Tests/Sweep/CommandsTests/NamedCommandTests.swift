import CommandLine
import Commands
import Foundation
import MockCommands
import RepositoryRoot
import Testing

/// Commands that the mock server names: in its pages, its messages and its articles.
struct NamedCommandTests {
    /// What follows the program's name in a sentence.
    private static let prose: Set<String> = ["has", "is", "serves", "shows", "starts"]

    /// The commands that a text names: the program, and the verb.
    private func commands(in text: String) -> [String] {
        let mock = text.matches(of: /cloudkit-mock ([a-z-]+)/).map { String($0.1) }
            .filter { !Self.prose.contains($0) }.map { "cloudkit-mock \($0)" }
        let sweep = text.matches(of: /[`"]cksweep ([a-z-]+)/).map { "cksweep \($0.1)" }
        return mock + sweep
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

    @Test(arguments: [
        "Mock/MockHost", "Mock/MockAdmin", "Mock/MockService", "Mock/MockStore",
        "Mock/MockFaults", "Mock/MockRules", "Mock/ClientLinter", "Mock/MockRecording",
        "Mock/MockCommands", "Apple/CloudKitMock", "System/Host", "Cloud/Configuration",
    ])
    func `every command that is named exists`(module: String) throws {
        let verbs = [Program.cksweep, .cloudkitMock].flatMap { program in
            program.verbs.map { "\(program.name) \($0.name)" }
        }
        for (file, text) in try texts(module) {
            for command in commands(in: text) {
                let isKnown = verbs.contains { $0 == command || $0.hasPrefix(command + " ") }
                #expect(isKnown, "\(module)/\(file): \(command)")
            }
        }
    }

    @Test func `commands are found in pages and messages`() throws {
        let named = try texts("Mock/MockHost").flatMap { commands(in: $0.text) }
        #expect(named.contains("cloudkit-mock serve") && named.contains("cloudkit-mock env"))
        #expect(
            commands(in: #"empty("Use cloudkit-mock nothing, or")"#) == ["cloudkit-mock nothing"])
        #expect(
            commands(in: #""stop it, then \"cksweep nothing\" says""#) == ["cksweep nothing"])
    }
}
