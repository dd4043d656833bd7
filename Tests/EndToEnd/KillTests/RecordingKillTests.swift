import Foundation
import Testing
import ToolRunner

/// `cloudkit-mock record` killed in the middle of a session.
@Suite(.timeLimit(.minutes(10)))
struct RecordingKillTests {
    /// Asks who the caller is.
    private static let ask =
        "curl -sS --max-time 60 --cacert \"$CLOUDKIT_EMULATOR_CA\" "
        + "\"$CLOUDKIT_EMULATOR_URL/database/1/iCloud.a/development/private/users/current?"
        + "ckAPIToken=$CLOUDKIT_EMULATOR_API_TOKEN"
        + "&ckWebAuthToken=$CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN\"; echo"

    @Test func `what was whole by then is replayed to the byte, and no process is left`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let state = folder.url.appendingPathComponent("state").path
        let file = folder.url.appendingPathComponent("a.recording").path
        let server = try ServerProcess(folder: folder.url, users: ["ann"])
        let tool = try Program.start(
            [
                "mock", "record", "--state", state, "--upstream", server.url, "--upstream-ca",
                server.caFile, "--out", file, "--", "/bin/sh", "-c",
                "\(Self.ask); echo \"pid $$\"; sleep 1000",
            ], environment: server.environment(user: "ann"), in: .plain)
        let answer = try #require(try tool.line(with: "userRecordName"))
        let line = try #require(try tool.line(with: "pid "))
        let pid = try #require(line.split(separator: " ").last.flatMap { Int32($0) })
        tool.process.send(SIGKILL)
        _ = try tool.wait()
        server.stop()
        #expect(kill(pid, 0) != 0)
        #expect(!FileManager.default.fileExists(atPath: file))
        let ended = try Program.run([
            "mock", "replay", "--state", state, file + ".part", "--", "/bin/sh", "-c", Self.ask,
        ])
        #expect(ended.status == 0 && ended.output == answer + "\n", "\(ended.errors)")
        #expect(ended.errors.contains("the recording was interrupted"))
    }
}
