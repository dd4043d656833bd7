import AsyncOperations
import Testing

@Suite struct ManualClockTests {
    @Test func `sleepers wake when their time has come, and not before`() async throws {
        let clock = ManualClock()
        let short = Task { try await clock.sleep(for: .seconds(1)) }
        let long = Task { try await clock.sleep(for: .seconds(2)) }
        await clock.waitForSleepers(2)
        clock.advance(by: .milliseconds(999))
        #expect(clock.sleepers == 2)
        clock.advance(by: .milliseconds(1))
        try await short.value
        #expect(clock.sleepers == 1)
        #expect(clock.untilNextDeadline == .seconds(1))
        clock.advance(by: .seconds(1))
        try await long.value
    }

    @Test func `a cancelled sleep ends at once`() async {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleepers == 0)
    }

    @Test func `a clock that moves by itself lets nobody wait`() async throws {
        let clock = ManualClock(movesByItself: true)
        try await clock.sleep(for: .seconds(3600))
        #expect(clock.now.sinceStart == .seconds(3600))
    }
}
