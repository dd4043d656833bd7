import Foundation
import RepositoryRoot
import Testing
import ToolRunner

/// What becomes of a sweep whose reader leaves, whom somebody interrupts, or whom nobody can answer: the
/// program itself, at a mock server of its own.
@Suite(.timeLimit(.minutes(10)))
struct OutputProgramTests {
    private static let list = """
        { "version": 1, "environment": "development",
          "containers": [ { "identifier": "iCloud.com.example.myexampleapp",
            "recordTypes": ["Album", "Article", "Bookmark", "Folder", "Note", "Person", "Photo",
                            "Profile", "Visit"] } ],
          "credentials": { "apiToken": "env:A", "webAuthToken": "env:W" } }
        """

    /// Runs a script beside a mock server with the demonstration's data; `cksweep VERB` is about that.
    private func run(_ script: String) throws -> (status: Int32, text: String) {
        let folder = try Folder()
        defer { folder.remove() }
        func put(_ text: String, _ name: String) throws {
            try text.write(
                to: folder.url.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        try put(Self.list, "list.json")
        try put(
            "sweeper() { local verb=$1; shift; \"$program\" \"$verb\" \"$@\" --rehearsal -c list.json "
                + "--state s; }\nset -u\n" + script, "script")
        let fixture = Repository.url("Containers/fixtures/demo.json")
        let ended = try Tool.run(
            "/bin/sh",
            [
                "-c",
                "\"$0\" mock exec -q --seed \"$1\" --state m -- env program=\"$0\" bash script",
                Program.path, fixture.path,
            ],
            variables: ["PATH": "/usr/bin:/bin", "HOME": folder.url.path],
            folder: folder.url.path, errors: .joined)
        return (ended.status, ended.text)
    }

    @Test func `a reader that leaves after a line costs neither the plan nor its exit status`()
        throws
    {
        let done = try run(
            """
            sweeper plan -v --detailed-exitcode -o p | head -n 1 > line
            codes="${PIPESTATUS[*]}"
            test "$codes" = "10 0" || { echo "plan: $codes"; exit 91; }
            grep -q REHEARSAL line || exit 92
            "$program" show p | head -n 1 > /dev/null
            test "${PIPESTATUS[0]}" = 0 || exit 93
            # Who deletes goes on to the end, whoever reads.
            digest=$("$program" show p | sed -n 's/^plan *//p')
            sweeper apply p --approve "$digest" --verify-pause 1ms | head -n 1 > /dev/null
            codes="${PIPESTATUS[*]}"
            test "$codes" = "0 0" || { echo "apply: $codes"; exit 94; }
            """)
        #expect(done.status == 0, "\(done.text)")
    }

    @Test func `without a terminal the answer is no, and the way out is told`() throws {
        let done = try run(
            """
            setsid bash -c "$(declare -f sweeper); sweeper sweep" < /dev/null > out 2> err
            test $? = 3 || { cat out err; exit 91; }
            grep -q 'no terminal to prompt at' err && grep -q -e '--approve' err || exit 92
            tail -n 2 out | grep -q '^REFUSED: ' || { cat out; exit 93; }
            # No line is drawn over another where nobody looks.
            if grep -q $'\\r' err out; then exit 94; fi
            """)
        #expect(done.status == 0, "\(done.text)")
    }

    @Test(arguments: [1, 2])
    func `an interrupt says how to go on, and a second one ends at once`(times: Int) throws {
        let done = try run(
            """
            set -m
            mkfifo events said
            sweeper plan -q -o p
            digest=$("$program" show p | sed -n 's/^plan *//p')
            "$program" mock faults --state m 'zones/modify -> delay \(times == 2 ? "100s" : "300ms")' > /dev/null
            sweeper apply p --approve "$digest" --verify-pause 1ms --json > events 2> said &
            exec 3< events 4< said
            while read -r line <&3; do
                case $line in *'"event":"delete_started"'*) break ;; esac
            done
            kill -INT -- -$!
            while read -r line <&4; do
                case $line in 'To continue: cksweep resume '*) break ;; esac
            done
            # The first lets requests in flight finish; nobody waits 100 s for that after a second one.
            if test \(times) = 2; then kill -INT -- -$!; fi
            cat <&3 > /dev/null &
            wait %1
            status=$?
            test $status = 130 || { echo "apply: $status"; exit 91; }
            "$program" mock faults --state m --clear > /dev/null
            set -- ${line#To continue: cksweep }
            "$program" "$@" --verify-pause 1ms || exit 92
            """)
        #expect(done.status == 0, "\(done.text)")
    }
}
