import AsyncOperations
import FileSystem
import Foundation
import Host
import Testing

/// Programs that are given something and run to their end, with a bound on everything.
@Suite(.timeLimit(.minutes(10)))
struct ProgramRunTests {
    private func run(
        _ words: [String], input: String = "", outputBytesMax: Int = 1000,
        within time: Duration = .seconds(600), on clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> ProgramEnd {
        try await SystemProcesses().run(
            words, variables: ["A": "b"], input: Array(input.utf8),
            outputBytesMax: outputBytesMax, within: time, on: clock)
    }

    @Test func `it reads what it is given, sees what it may, and its output comes back`()
        async throws
    {
        let end = try await run(["/bin/sh", "-c", "cat; env | grep -v ^PWD; exit 4"], input: "in ")
        #expect(end.status == 4 && !end.isOutOfTime)
        let said = String(decoding: end.output, as: UTF8.self)
        #expect(said.hasPrefix("in ") && said.contains("A=b"), "\(said)")
        #expect(!said.contains("HOME="))
    }

    @Test func `more output than the bound is thrown away, and holds nobody up`() async throws {
        let end = try await run(["/usr/bin/seq", "200000"], outputBytesMax: 10)
        #expect(end.status == 0)
        #expect(String(decoding: end.output, as: UTF8.self) == "1\n2\n3\n4\n5\n")
    }

    @Test func `what it leaves behind is ended with it`() async throws {
        // The sleeper holds the pipe: who waited for the end of the output would wait for it.
        let end = try await run(["/bin/sh", "-c", "sleep 1000 & echo started"])
        #expect(end.status == 0)
        #expect(String(decoding: end.output, as: UTF8.self) == "started\n")
    }

    @Test func `when its time is over it is asked to end`() async throws {
        let clock = ManualClock()
        async let running = run(["/bin/sleep", "1000"], within: .seconds(60), on: clock)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(60))
        let end = try await running
        #expect(end.isOutOfTime && end.status == 128 + SIGTERM)
    }

    @Test func `who gives up waiting ends it at once`() async throws {
        let clock = ManualClock()
        let task = Task { try await run(["/bin/sleep", "1000"], on: clock) }
        await clock.waitForSleepers()
        task.cancel()
        #expect(try await task.value.status == 128 + SIGKILL)
    }

    @Test func `a program that is not there is an error`() async throws {
        await #expect(throws: FileError.self) { try await run(["/no/such/program"]) }
    }
}
