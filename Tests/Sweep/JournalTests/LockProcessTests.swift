import Basics
import Foundation
import Journal
import Testing

/// Locks among real processes, with and without process numbers in common.
@Suite(.timeLimit(.minutes(30)))
struct LockProcessTests {
    @Test func `S15 of two processes one gets the lock, and kill -9 frees it`() throws {
        try oneAtATime(within: [])
    }

    @Test(.enabled(if: Unshared.isAllowed, Unshared.why))
    func `S15 of two containers with one state folder one gets the lock`() throws {
        try oneAtATime(within: Unshared.processes)
    }

    @Test(.enabled(if: Unshared.isAllowed, Unshared.why))
    func `S15 a proc that hides the machine makes no process dead and none immortal`() throws {
        try oneAtATime(within: Unshared.processesOnly)
    }

    @Test(.enabled(if: Unshared.isAllowed, Unshared.why))
    func `S15 a lock holds between a container and its host`() async throws {
        let folder = Folder()
        let inside = try Child(folder, run: "inside", key: "k", within: Unshared.processes)
        #expect(try inside.line() == "locked")
        let journal = folder.journal(isAlive: { $0.seemsAlive() })
        let mine = LockHolder(
            run: "outside", process: .current(), since: Timestamp(milliseconds: 1))
        let error = await #expect(throws: JournalError.self) {
            _ = try await journal.begin(try start("outside"), [.lock(keys: ["k"], mine)])
        }
        #expect(error?.code == .locked && error?.holder?.run == "inside")
        try inside.kill()
        _ = try await journal.begin(try start("outside"), [.lock(keys: ["k"], mine)])
        let late = try Child(folder, run: "late", key: "k", within: Unshared.processes)
        #expect(try late.line()?.contains("run outside") == true)
        #expect(try late.end() == 1)
    }

    private func oneAtATime(within wrapper: [String]) throws {
        let folder = Folder()
        let first = try Child(folder, run: "first", key: "k", within: wrapper)
        #expect(try first.line() == "locked")
        let second = try Child(folder, run: "second", key: "k", within: wrapper)
        let refusal = try second.line()
        #expect(refusal?.hasPrefix("locked another run holds the lock: run first") == true)
        #expect(try second.end() == 1)
        let other = try Child(folder, run: "other", key: "another key", within: wrapper)
        #expect(try other.line() == "locked")
        try first.say("still writing")
        #expect(try first.line() == "wrote")
        try first.kill()
        let third = try Child(folder, run: "third", key: "k", within: wrapper)
        #expect(try third.line() == "locked")
        #expect(try third.end() == 0)
        // It ended without unlocking.
        let fourth = try Child(folder, run: "fourth", key: "k", within: wrapper)
        #expect(try fourth.line() == "locked")
        #expect(try fourth.end() == 0 && other.end() == 0)
    }

    @Test func `S6 what was noted is there after kill -9`() async throws {
        let folder = Folder()
        let child = try Child(folder, run: "one", key: "k")
        #expect(try child.line() == "locked")
        for number in 0..<20 {
            try child.say("note \(number)")
            #expect(try child.line() == "wrote")
        }
        try child.kill()
        let journal = folder.journal()
        let run = try await journal.run(id: "one").key
        for number in 0..<20 {
            #expect(try await journal.note(run: run, key: "note \(number)") == [])
        }
    }
}
