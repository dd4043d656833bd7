import DonationScript
import DonationStore
import Donations
import Foundation

/// A process that uses a donation store, for tests that kill it, run several at once, or let it run
/// out of room. It prints a line for each call that has returned.
///
///     DonationChild script FOLDER SEED FROM    the calls of the script, from a number on
///     DonationChild share FOLDER NAME ROUNDS   donates and deletes rows of its own name
///     DonationChild fill FOLDER                donates until there is no room
@main
struct DonationChild {
    static func main() async {
        // Beyond a limit on file sizes a write shall fail and not end the process.
        signal(SIGXFSZ, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            switch words.first {
            case "script": try await script(words[1], UInt64(words[2])!, from: Int(words[3])!)
            case "share": try await share(words[1], words[2], rounds: Int(words[3])!)
            case "fill": try await Filling(folder: words[1]).run()
            default: exit(2)
            }
        } catch let error as DonationError {
            say("error \(error.code) \(error.reason)")
            exit(1)
        } catch {
            say("error \(error)")
            exit(1)
        }
    }

    static func open(_ folder: String) throws -> DonationStore {
        var configuration = DonationConfiguration(
            bundleIdentifier: "com.example.app", directory: folder,
            clock: .fixed(DonationScript.time))
        configuration.searchPieceBits = 4
        return try DonationStore(configuration: configuration)
    }

    /// At once: a killed process has said what it has said.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private static func script(_ folder: String, _ seed: UInt64, from start: Int) async throws {
        let store = try open(folder)
        for (number, call) in DonationScript.calls(seed: seed).enumerated().dropFirst(start) {
            try await DonationScript.carryOut(call, on: store, number: number)
            say("\(number)")
        }
        await store.flushAndClose()
        say("closed")
    }

    private static func share(_ folder: String, _ name: String, rounds: Int) async throws {
        let store = try open(folder)
        for round in 0..<rounds {
            var row = DonationScript.interaction("\(name)-\(round)", group: name)
            if round % 4 == 1 {
                row.images = [.init(parameter: "soup", bytes: Array("\(name)\(round)".utf8))]
            }
            _ = try await store.donate([row])
            var item = Donation(
                .searchableItem, identifier: "\(name)-x\(round)", type: "public.text",
                at: DonationScript.time)
            item.title = "soup \(round) of \(name)"
            item.domain = round % 5 == 2 ? "\(name).doomed" : "\(name).kept"
            _ = try await store.index([(item, .replace)])
            say("\(round)")
            if round % 3 == 0 {
                try await store.delete(.interactions(identifiers: ["\(name)-\(round)"]))
            }
            if round % 10 == 9 {
                try await store.delete(.searchableDomains(["\(name).doomed"], indexName: nil))
            }
        }
        await store.flushAndClose()
    }
}
