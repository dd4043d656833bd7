import Basics
import DonationStore
import Donations
import Foundation

/// Measures the donation store: `DonationBench FIGURE FOLDER [ROWS]` prints one `name value` a
/// line. The folder must not exist; what is made in it is left there.
@main
struct DonationBench {
    static func main() async {
        do {
            try await measure()
        } catch {
            FileHandle.standardError.write(Data("DonationBench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func measure() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard let figure = words.first, let folder = words.dropFirst().first else {
            throw Problem("usage: DonationBench FIGURE FOLDER [ROWS]")
        }
        let rows = words.dropFirst(2).first.flatMap { Int($0) }
        switch figure {
        case "donate": try await Donating(folder: folder).run(rows: rows ?? 2000)
        case "delete-domain": try await Deleting(folder: folder).domain(rows: rows ?? 100_000)
        case "delete-all": try await Deleting(folder: folder).all(rows: rows ?? 1_000_000)
        case "search": try await Viewing(folder: folder).search(rows: rows ?? 1_000_000)
        case "suggest": try await Viewing(folder: folder).suggest(rows: rows ?? 100_000)
        case "memory": try await Viewing(folder: folder).memory(rows: rows ?? 100_000)
        case "sync-changes": try await Syncing(folder: folder).changes(rows: rows ?? 100_000)
        case "sync-memory": try await Syncing(folder: folder).memory(rows: rows ?? 1_000_000)
        case "sync-steady": try await Syncing(folder: folder).steady()
        default: throw Problem("there is no figure \(figure)")
        }
    }
}

/// Why a figure could not be taken.
struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A store for a measurement.
enum Bench {
    static let now = Timestamp(milliseconds: 1_795_000_000_000)
    /// Rows of one transaction while a store is filled.
    static let fillBatch = 10_000

    static func store(_ folder: String, isDurable: Bool) throws -> DonationStore {
        var configuration = DonationConfiguration(
            bundleIdentifier: "com.example.bench", directory: folder, clock: .fixed(now))
        configuration.isDurable = isDurable
        return try DonationStore(configuration: configuration)
    }

    /// Puts rows into a store, page by page.
    static func fill(
        _ store: DonationStore, rows: Int, _ row: (Int) -> Donation
    ) async throws {
        let start = processorSeconds()
        defer { tell("fill_processor_s", processorSeconds() - start) }
        for start in stride(from: 0, to: rows, by: fillBatch) {
            let page = (start..<min(rows, start + fillBatch)).map(row)
            let outcomes = try await store.store(page)
            guard outcomes.allSatisfy({ $0.isStored }) else { throw Problem("a row was refused") }
        }
    }

    static func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await work()
        let (seconds, attoseconds) = (clock.now - start).components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// What this process has used of the processor: tells of a machine that does other work too.
    static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    static func tell(_ name: String, _ value: Double) { print("\(name) \(value)") }

    /// The most memory this process ever had, in MiB.
    static func memoryMax() throws -> Double {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        guard let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { throw Problem("the memory is not known") }
        return kilobytes / 1024
    }
}
