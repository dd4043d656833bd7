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
            "cut after commit              happened 1×", "pass 2", "✓ nothing of Ann is left",
            "✓ Bob's data is what it was, to the last field", "  0 done",
        ] {
            #expect(world.output.text.contains(words), "\(words)")
        }
        #expect(try world.environment().files.names(in: ".") == [])
        // A signal in the middle would have emptied the folder too.
        #expect(world.signals.lastActs.withLock { $0 } == [true, false])
    }
}
