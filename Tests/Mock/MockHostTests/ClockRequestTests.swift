import AsyncOperations
import Foundation
import Testing
import ToolRunner

/// The clock as requests read and set it.
struct ClockRequestTests {
    @Test(
        arguments: [
            ("advance", #"{"by":"31d"}"#, 31 * 86_400_000),
            ("advance", #"{"by":"1h30m"}"#, 5_400_000),
            ("advance", #"{"by":"-90s"}"#, -90_000), ("advance", #"{"by":"2w"}"#, 1_209_600_000),
            ("advance", #"{"seconds":2,"milliseconds":5}"#, 2_005),
        ] as [(String, String, Int64)])
    func `the clock is moved by times as people write them`(
        path: String, body: String, step: Int64
    ) throws {
        let bench = try Bench()
        let answer = try bench.admin("POST", "clock/\(path)", body)
        #expect(answer.json?["milliseconds"]?.int64 == bench.now.milliseconds + step)
    }

    @Test(arguments: [
        ("POST", "clock/advance", #"{"by":"soon"}"#, "such as 90s"),
        ("POST", "clock/advance", #"{"by":"101000d"}"#, "hundred years"),
        ("POST", "clock/advance", #"{"by":"--1s"}"#, "such as 90s"),
        ("POST", "clock/advance", #"{"by":"1s","seconds":1}"#, "either by"),
        ("POST", "clock/advance", "{}", "needs"),
        ("POST", "clock/advance", #"{"by":"-60y"}"#, "such as 90s"),
        ("POST", "clock/advance", #"{"seconds":-3000000000}"#, "1970"),
        ("PUT", "clock", #"{"mode":"scaled"}"#, "needs a rate"),
        ("PUT", "clock", #"{"mode":"scaled","rate":0}"#, "needs a rate"),
        ("PUT", "clock", #"{"mode":"scaled","rate":1e9}"#, "needs a rate"),
        ("PUT", "clock", #"{"mode":"frozen","rate":2}"#, "only a scaled clock"),
        ("PUT", "clock", #"{"mode":"frozn"}"#, "frozen"),
        ("PUT", "clock", #"{"now":"2026-02-31T00:00:00Z"}"#, "must be a moment"),
        ("PUT", "clock", #"{"now":"tomorrow"}"#, "must be a moment"),
        ("PUT", "clock", #"{"now":"2026-01-15T08:30:00Z","milliseconds":5}"#, "not both"),
    ])
    func `what is no time, no step and no rate is refused and changes nothing`(
        method: String, path: String, body: String, hint: String
    ) throws {
        let bench = try Bench()
        let before = try bench.admin("GET", "clock").text
        let answer = try bench.admin(method, path, body)
        #expect(answer.status == 400)
        #expect(answer.text.contains(hint), "\(answer.text)")
        #expect(try bench.admin("GET", "clock").text == before)
    }

    @Test func `a scaled clock is told with its rate, keeps it, and is let go`() throws {
        let bench = try Bench()
        _ = try bench.admin("PUT", "clock", #"{"rate":60,"now":"2026-01-15T08:30:00Z"}"#)
        bench.now.milliseconds += 1000
        var clock = try bench.admin("GET", "clock").json
        #expect(clock?["mode"]?.string == "scaled")
        #expect(clock?["now"]?.string == "2026-01-15T08:31:00Z")
        clock = try bench.admin("PUT", "clock", #"{"now":"2030-01-01T00:00:00Z"}"#).json
        #expect(clock?["rate"]?.double == 60)
        clock = try bench.admin("PUT", "clock", #"{"mode":"real"}"#).json
        #expect(clock?["milliseconds"]?.int64 == bench.now.milliseconds)
        #expect(clock?["rate"]?.double == 1)
    }
}

/// Answers that are held back, over sockets.
@Suite(.timeLimit(.minutes(10))) struct PacedTimerTests {
    private func admin(
        _ running: MockServerTests.Running, _ method: String, _ path: String, _ body: String
    ) throws {
        let answer = try running.curl(
            "--cacert", running.ready.caFile, "-w", "%{http_code}", "-X", method,
            running.ready.url + "/_mock/v1/" + path, "-d", body)
        try #require(answer.text.hasSuffix("200"), "\(answer.text)")
    }

    /// An answer that a fault holds back for ten minutes, while `then` is done.
    private func heldAnswer(
        _ running: MockServerTests.Running, then: () throws -> Void
    ) throws -> String {
        try admin(running, "PUT", "faults", #"["users/caller -> delay 600s"]"#)
        let ended = DispatchSemaphore(value: 0)
        let text = Locked("")
        let (ca, url) = (running.ready.caFile, running.url("users/caller"))
        Thread.detachNewThread {
            let answer = try? Tool.run(
                "/usr/bin/curl", ["-sS", "--max-time", "150", "--cacert", ca, url], errors: .joined)
            text.withLock { $0 = answer?.text ?? "" }
            ended.signal()
        }
        // It is in the journal once its answer is held back.
        var journal = ""
        while !journal.contains("users/caller") {
            journal =
                try running.curl("--cacert", ca, running.ready.url + "/_mock/v1/journal").text
        }
        try then()
        ended.wait()
        return text.withLock { $0 }
    }

    @Test func `an answer that is held back comes when the clock is moved on beyond it`() throws {
        let running = try MockServerTests.Running()
        let text = try heldAnswer(running) {
            try admin(running, "POST", "clock/advance", #"{"by":"10m"}"#)
        }
        #expect(text.contains("userRecordName"), "\(text)")
    }

    @Test func `an answer that is held back comes sooner by a clock that goes faster`() throws {
        let running = try MockServerTests.Running()
        let text = try heldAnswer(running) {
            try admin(running, "PUT", "clock", #"{"mode":"scaled","rate":86400}"#)
        }
        #expect(text.contains("userRecordName"), "\(text)")
    }
}
