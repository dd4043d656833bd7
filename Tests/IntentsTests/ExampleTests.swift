import Foundation
import Testing
import ToolRunner

/// Apps in the style of Apple's articles, compiled in both language modes and run as programs.
struct ExampleTests {
    /// Runs an app with a store of its own and gives what it says.
    private func lines(of name: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("intents-example-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let beside = tests.appendingPathComponent(name)
        let isBeside = FileManager.default.isExecutableFile(atPath: beside.path)
        // Under some runners the first argument is the runner's own.
        let program = isBeside ? beside : Bundle.main.bundleURL.appendingPathComponent(name)
        let ended = try Tool.run(program.path, [folder.path], errors: .joined)
        #expect(ended.status == 0, "\(ended.text)")
        return ended.text.split(separator: "\n").map(String.init)
    }

    @Test(arguments: ["SoupChef", "SoupChefSwift5"])
    func `F19 a soup that is removed leaves nothing behind`(name: String) throws {
        #expect(
            try lines(of: name) == [
                "after three orders: activity 2, interaction 3, savedActivity 2, searchableItem 2",
                "after the chowder went: "
                    + "activity 1, interaction 1, savedActivity 1, searchableItem 1",
                "about the chowder: 0",
                "after the tomatoes went: nothing",
                "about the tomatoes: 0",
                "images: 0",
            ])
    }

    @Test(arguments: ["Messenger", "MessengerSwift5"])
    func `F37 a contact that is deleted is nowhere mentioned`(name: String) throws {
        #expect(
            try lines(of: name) == [
                "after four messages: "
                    + "activity 3, interaction 4, savedActivity 3, searchableItem 3",
                "after Ada went: activity 1, interaction 1, savedActivity 1, searchableItem 1",
                "about Ada: 0",
                "after signing out: nothing",
            ])
    }
}
