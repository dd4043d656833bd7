import CommandWorld
import Commands
import Foundation
import Testing
import ToolRunner

@Suite(.timeLimit(.minutes(30)))
struct DemoTests {
    /// A folder for the demonstration's, and the variables that name it.
    private func place() throws -> (folder: String, variables: [String: String]) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-demo-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (folder, ["PATH": path, "HOME": folder, "TMPDIR": folder])
    }

    @Test func `the demonstration ends well and leaves nothing behind`() throws {
        let (folder, variables) = try place()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ended = try Tool.run(
            Tool.built("cksweep"), ["demo"], variables: variables, errors: .kept)
        let (text, errors) = (ended.text, ended.errors)
        #expect(ended.status == 0, "\(text)\(errors)")
        for words in [
            "ready https://localhost:", "$ cksweep plan", "THROTTLED retry 0.3s  happened 2×",
            "cut after commit              happened 1×", "DONE: everything",
            "✓ nothing of Ann's data is left",
            "✓ Bob's data is unchanged in every field", "  0, done",
        ] {
            #expect(text.contains(words), "\(words)")
        }
        // Two screens, in the width of any terminal but for lines to copy.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 102)
        #expect(
            lines.filter { $0.count > 80 }.allSatisfy {
                $0.contains("--approve") || $0.contains("/")
            })
        // What comes next stands in a line each: a comment that went on in the next would be a command.
        let next = lines.drop { $0 != "Next steps:" }.dropFirst()
        #expect(
            next.allSatisfy { line in
                line.isEmpty
                    || ["export", "cksweep", "cloudkit-mock"].contains {
                        line.hasPrefix("  \($0) ")
                    }
            })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test func `what comes next can be pasted, wherever the program is`() async throws {
        let world = try TestWorld()
        let hidden = world.environment(variables: ["PATH": "/nowhere"])
        let line = try #require(DemoScript.pathLine(in: hidden))
        let found = await shell("\(line); printf %s \"${PATH%%:*}\"")
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #expect(
            found.text + "/" == program.prefix(through: try #require(program.lastIndex(of: "/"))))
        try world.put("", at: "bin/cksweep")
        let known = world.environment(variables: ["PATH": "/nowhere:\(world.folder)/bin"])
        #expect(DemoScript.pathLine(in: known) == nil)
    }
}
