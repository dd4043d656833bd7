import Foundation
import Testing
import ToolRunner

/// Apps in the style of Apple's articles, compiled in both language modes and run as programs.
struct ExampleTests {
    /// Gives `body` a folder for an app's store.
    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("intents-example-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    /// Runs an app with a store in a folder and gives what it says.
    private func lines(of name: String, _ folder: URL, _ act: String...) throws -> [String] {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let beside = tests.appendingPathComponent(name)
        let isBeside = FileManager.default.isExecutableFile(atPath: beside.path)
        // Under some runners the first argument is the runner's own.
        let program = isBeside ? beside : Bundle.main.bundleURL.appendingPathComponent(name)
        let ended = try Tool.run(program.path, [folder.path] + act, errors: .joined)
        #expect(ended.status == 0, "\(ended.text)")
        return ended.text.split(separator: "\n").map(String.init)
    }

    @Test(arguments: ["SoupChef", "SoupChefSwift5"])
    func `F19 a soup that is removed leaves nothing behind`(name: String) throws {
        try inFolder { (folder: URL) throws in
            #expect(
                try lines(of: name, folder) == [
                    "after three orders: activity 2, interaction 3, savedActivity 2, searchableItem 2",
                    "after the chowder went: "
                        + "activity 1, interaction 1, savedActivity 1, searchableItem 1",
                    "about the chowder: 0",
                    "after the tomatoes went: nothing",
                    "about the tomatoes: 0",
                    "images: 0",
                ])
        }
    }

    /// Each step is a process of its own, over one store: what one donates, the next one finds.
    @Test(arguments: ["Messenger", "MessengerSwift5"])
    func `F37 a contact that is deleted is nowhere mentioned`(name: String) throws {
        try inFolder { (folder: URL) throws in
            #expect(try lines(of: name, folder, "use") == [])
            #expect(
                try lines(of: name, folder, "look") == [
                    "activity 3, interaction 7, savedActivity 3, searchableItem 3",
                    "about Ada: 11",
                ])
            #expect(try lines(of: name, folder, "forget") == [])
            #expect(
                try lines(of: name, folder, "look") == [
                    "activity 1, interaction 2, savedActivity 1, searchableItem 1",
                    "about Ada: 0",
                ])
            #expect(try lines(of: name, folder, "leave") == [])
            #expect(try lines(of: name, folder, "look") == ["nothing", "about Ada: 0"])
        }
    }

    @Test(arguments: ["Messenger", "MessengerSwift5"])
    func `F35 a messenger answers in both forms`(name: String) throws {
        try inFolder { (folder: URL) throws in
            #expect(
                try lines(of: name, folder, "ask") == [
                    "success: Grace", "asks for recipients", "asks for recipients",
                    "deferredToApplication: Ada",
                ])
        }
    }
}
