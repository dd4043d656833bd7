import AsyncOperations
import Basics
import DonationStore
import Donations
import Foundation

/// A clock that tests move.
final class TestClock: Sendable {
    private let time: Locked<Int64>

    init(_ milliseconds: Int64 = 1_700_000_000_000) { time = Locked(milliseconds) }

    var now: Timestamp { Timestamp(milliseconds: time.withLock { $0 }) }
    var clock: WallClock { WallClock { self.now } }
    func advance(by duration: Duration) {
        time.withLock {
            $0 = Timestamp(milliseconds: $0).advanced(by: duration).milliseconds
        }
    }
}

/// A folder for one test, gone with it. In memory where there is such a place: what a kill leaves is
/// the same there.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        let memory = "/dev/shm/"
        let isThere = FileManager.default.isWritableFile(atPath: memory)
        path = (isThere ? memory : NSTemporaryDirectory()) + "donations-\(UUID().uuidString)"
    }

    /// More than once: a store that is being closed removes files of its own meanwhile, and the
    /// first to find one gone gives up.
    deinit {
        for _ in 0..<100 where FileManager.default.fileExists(atPath: path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// A copy of the files as a crash would leave them now.
    func copy() throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(atPath: path, toPath: copy.path)
        return copy
    }

    /// Whether one of the files holds these bytes.
    func contains(_ text: String) throws -> Bool {
        try bytes().range(of: Data(text.utf8)) != nil
    }

    /// All files one after the other.
    func bytes() throws -> Data {
        let names = try FileManager.default.subpathsOfDirectory(atPath: path)
        return names.reduce(into: Data()) { all, name in
            all += FileManager.default.contents(atPath: path + "/" + name) ?? Data()
        }
    }

    var images: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/images")) ?? []).sorted()
    }
}

/// A store in memory, and the clock it goes by.
func memoryStore(
    _ clock: TestClock = TestClock(), _ change: (inout DonationConfiguration) -> Void = { _ in }
) throws -> DonationStore {
    var configuration = DonationConfiguration(
        bundleIdentifier: "com.example.app", directory: "", clock: clock.clock)
    // Some hundred rows are spread over several search tables.
    configuration.searchPieceBits = 7
    change(&configuration)
    return try DonationStore(configuration: configuration)
}

/// A store in a folder.
func fileStore(
    _ folder: TemporaryFolder, _ clock: TestClock = TestClock(),
    _ change: (inout DonationConfiguration) -> Void = { _ in }
) throws -> DonationStore {
    var configuration = DonationConfiguration(
        bundleIdentifier: "com.example.app", directory: folder.path, clock: clock.clock)
    // Tests copy the files whenever no call is under way.
    configuration.cleansWhileIdle = false
    configuration.searchPieceBits = 7
    change(&configuration)
    return try DonationStore(configuration: configuration)
}

/// The instant at which samples are made.
let sampleTime = Timestamp(milliseconds: 1_700_000_000_000)

extension Donation {
    static func interaction(
        _ identifier: String, group: String? = nil, siri: Bool = false,
        type: String = "OrderSoupIntent"
    ) -> Donation {
        var row = Donation(.interaction, identifier: identifier, type: type, at: sampleTime)
        row.group = group
        row.isFromSiri = siri
        return row
    }

    static func activity(
        _ persistentIdentifier: String? = nil, related: String? = nil, weak: String? = nil,
        domain: String? = nil, type: String = "com.example.view"
    ) -> Donation {
        var row = Donation(.activity, type: type, at: sampleTime)
        row.persistentIdentifier = persistentIdentifier
        row.relatedIdentifier = related
        row.weakRelatedIdentifier = weak
        row.domain = domain
        row.eligibility = [.search, .prediction]
        return row
    }

    static func item(
        _ identifier: String, domain: String? = nil, index: String? = nil, title: String? = nil
    ) -> Donation {
        var row = Donation(
            .searchableItem, identifier: identifier, type: "public.text", at: sampleTime)
        row.domain = domain
        row.indexName = index
        row.title = title
        return row
    }

    static func record(
        _ identifier: String, type: String = "OpenNote", entity: String? = nil
    ) -> Donation {
        var row = Donation(.appIntent, identifier: identifier, type: type, at: sampleTime)
        row.entityType = entity == nil ? nil : "Note"
        row.entityIdentifier = entity
        return row
    }
}

extension DonationStore {
    /// Donates interactions or App Intents records.
    func donate(_ donation: Donation) async throws -> DonationOutcome {
        try await donate([donation])[0]
    }

    /// Puts items in the index.
    func index(_ items: Donation...) async throws {
        _ = try await index(items.map { ($0, .replace) })
    }

    /// What is left, in words: kind and name of each row, sorted.
    func contents() async throws -> [String] {
        var all: [String] = []
        for kind in DonationKind.donations where kind != .activity {
            for row in try await list(kind) {
                let name =
                    kind == .savedActivity ? row.persistentIdentifier ?? row.type : row.identifier
                all.append("\(kind) \(name)")
            }
        }
        return all.sorted()
    }
}

extension DonationStore {
    func clientState(indexName: String?) async throws(DonationError) -> [UInt8]? {
        let result = await withCheckedContinuation { continuation in
            clientState(indexName: indexName) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}
