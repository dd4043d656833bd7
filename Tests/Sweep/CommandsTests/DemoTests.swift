import Commands
import Foundation
import Testing

@Suite(.timeLimit(.minutes(30)))
struct DemoTests {
    @Test func `the demonstration ends well and leaves nothing behind`() async throws {
        let world = try TestWorld(isTimePassing: true)
        let code = await world.run("demo", variables: ["TMPDIR": world.folder])
        #expect(code == 0, "\(world.output.text)\(world.errors.text)")
        for words in [
            "ready https://localhost:", "$ cksweep plan", "THROTTLED retry=0.3s  happened 2×",
            "cut after commit              happened 1×", "DONE: everything",
            "✓ nothing of Ann's data is left",
            "✓ Bob's data is unchanged in every field", "  0, done",
        ] {
            #expect(world.output.text.contains(words), "\(words)")
        }
        // Two screens, in the width of any terminal but for the line that approves by a digest.
        let lines = world.output.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 102)
        #expect(
            lines.filter { $0.count > 80 }.allSatisfy {
                $0.contains("--approve") || $0.contains("/")
            })
        // What comes next stands in a line each: a comment that went on in the next would be a command.
        let next = lines.drop { $0 != "Next steps:" }.dropFirst()
        #expect(
            next.allSatisfy {
                $0.isEmpty || $0.hasPrefix("  export ") || $0.hasPrefix("  cksweep ")
            })
        #expect(try world.environment().files.names(in: ".") == [])
        // A signal in the middle would have emptied the folder too.
        #expect(world.signals.lastActs.withLock { $0 } == [true, false])
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
