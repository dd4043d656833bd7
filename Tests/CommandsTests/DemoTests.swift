import Commands
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DemoTests {
    @Test func `the demonstration ends well and leaves nothing behind`() async throws {
        let world = try TestWorld()
        let code = await world.run("demo", variables: ["TMPDIR": world.folder])
        #expect(code == 0, "\(world.output.text)\(world.errors.text)")
        for words in [
            "ready https://localhost:", "$ cksweep plan", "THROTTLED retry=0.3s  happened 2×",
            "cut after commit              happened 1×", "DONE: everything",
            "✓ nothing of Ann is left",
            "✓ Bob's data is what it was, to the last field", "  0 done",
        ] {
            #expect(world.output.text.contains(words), "\(words)")
        }
        // Two screens, in the width of any terminal but for the line that approves by a digest.
        let lines = world.output.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 100)
        #expect(
            lines.filter { $0.count > 80 }.allSatisfy {
                $0.contains("--approve") || $0.contains("/")
            })
        #expect(try world.environment().files.names(in: ".") == [])
        // A signal in the middle would have emptied the folder too.
        #expect(world.signals.lastActs.withLock { $0 } == [true, false])
    }
}
