import Foundation
import Testing
import ToolRunner

/// Sign-ins of the program itself: its browser, its processes, and its end at any moment.
@Suite(.timeLimit(.minutes(10)))
struct SignInProgramTests {
    private static let list = """
        { "version": 1, "environment": "development",
          "containers": [ { "identifier": "iCloud.com.example.app", "recordTypes": [] } ],
          "credentials": { "apiToken": "env:A", "webAuthToken": "login" } }
        """

    /// Runs a script beside a mock server of the program's that takes each token once.
    private func run(_ script: String, in folder: URL) throws -> (status: Int32, errors: String) {
        func put(_ text: String, _ name: String) throws {
            try text.write(
                to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        try put(Self.list, "list.json")
        _ = try SignInBrowser.put(in: folder)
        let common = "--rehearsal -c list.json --state s"
        try put(
            "cksweep() { local verb=$1; shift; \"$program\" \"$verb\" \(common) \"$@\"; }\n"
                + script,
            "script")
        let ended = try Tool.run(
            "/bin/sh",
            [
                "-c",
                "\"$0\" mock exec -q --any-container --strict-tokens --user ann --user bob "
                    + "--state m -- env program=\"$0\" BROWSER=\"$PWD/browser\" bash script",
                Program.path,
            ],
            variables: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "TMPDIR": folder.path],
            folder: folder.path, errors: .joined)
        return (ended.status, ended.text)
    }

    @Test func `a browser signs in, and two processes at once share what it brought`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let done = try run(
            """
            set -e
            cksweep login
            grep -rl "$CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN" s && exit 90
            for round in 1 2 3; do
                cksweep doctor & one=$!
                cksweep plan & other=$!
                cksweep doctor
                wait $one; wait $other
            done
            cksweep logout
            cksweep doctor > gone || test $? = 7
            grep -q 'Not ready' gone || true
            """, in: folder.url)
        #expect(done.status == 0, "\(done.errors)")
        #expect(done.errors.contains("Signed in to iCloud.com.example.app as"), "\(done.errors)")
    }

    @Test func `a disk that is full is told before the first request`() throws {
        let folder = try Folder()
        defer { folder.remove() }
        let done = try run(
            """
            cksweep login || exit 91
            trap "" XFSZ
            (ulimit -f 4; cksweep doctor) && exit 92
            # The token that is there was not spent.
            cksweep doctor
            """, in: folder.url)
        #expect(done.status == 0, "\(done.errors)")
        let said = done.errors.replacing(#/\n +/#, with: " ")
        #expect(
            said.contains("cannot store the web auth token") && said.contains("File too large"),
            "\(said)")
    }

    @Test(arguments: [0.01, 0.03, 0.05, 0.08, 0.12, 0.2])
    func `whoever is killed leaves a whole token, and locks nobody out`(seconds: Double) throws {
        let folder = try Folder()
        defer { folder.remove() }
        let done = try run(
            """
            cksweep login || exit 91
            for round in 1 2 3 4; do
                timeout -s KILL \(seconds) "$program" plan --rehearsal -c list.json --state s
            done
            token=$(cat s/rehearsal/sign-in/*/*.development)
            test "$(wc -w <<<"$token")" = 1 || exit 93
            cksweep doctor
            case $? in 0) exit 0 ;; 7) ;; *) exit 94 ;; esac
            # Killed between the answer and the write: that token is gone for good.
            cksweep login && cksweep doctor
            """, in: folder.url)
        #expect(done.status == 0, "\(done.errors)")
    }
}
