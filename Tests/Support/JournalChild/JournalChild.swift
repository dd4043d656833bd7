import Basics
import CloudModel
import Foundation
import Journal

/// A process that takes a lock, for tests that run several at once. It begins a run and takes the
/// lock, says what came of it, then does what each line that it is given says.
///
///     JournalChild FOLDER RUN KEY
@main
struct JournalChild {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 3, let container = Container.ID("iCloud.com.example.app") else {
            exit(2)
        }
        let journal = SQLiteJournal(folder: words[0])
        let now = Timestamp(milliseconds: 1)
        let start = RunStart(
            id: words[1], verb: "sweep", environment: .development, containers: [container],
            server: "", isRehearsal: true, began: now, allowPartial: nil)
        let holder = LockHolder(run: words[1], process: .current(), since: now)
        do throws(JournalError) {
            let run = try await journal.begin(start, [.lock(keys: [words[2]], holder)])
            say("locked")
            while let line = readLine() {
                let change = JournalChange.note(key: line, value: [])
                if line.hasPrefix("note") {
                    try await journal.note([change], run: run.key)
                } else {
                    try await journal.write([change], run: run.key)
                }
                say("wrote")
            }
        } catch {
            say("\(error.code) \(error.reason)")
            exit(1)
        }
    }

    /// At once: a killed process has said what it has said.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
