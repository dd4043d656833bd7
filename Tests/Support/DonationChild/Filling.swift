import DonationScript
import DonationStore
import Donations
import Foundation

/// Donates until there is no room, makes room, and goes on.
///
/// Says how many donations were stored, how the others failed, what the store held then, and what
/// it holds at the end.
struct Filling {
    let folder: String
    private var ballast: String { folder + "/ballast" }
    private var home: String { folder + "/store" }

    func run() async throws {
        try Data(count: 2_000_000).write(to: URL(fileURLWithPath: ballast))
        var store = try DonationChild.open(home)
        var stored: [String] = []
        var failures: [DonationError] = []
        for number in 0..<5000 where failures.count < 3 {
            do {
                _ = try await store.donate(rows(number))
                stored += ["i\(number)", "j\(number)"]
            } catch {
                failures.append(error)
            }
        }
        DonationChild.say("failed \(failures.map(\.code.rawValue).joined(separator: " "))")
        DonationChild.say("some \(stored.count > 20)")
        try await tell("full", store, stored)
        try makeRoom()
        // After a failure that leaves open what is on disk, the file is to be opened anew.
        if failures.contains(where: { $0.code == .broken }) {
            await store.flushAndClose()
            store = try DonationChild.open(home)
        }
        try await store.delete(.interactions(identifiers: ["i0", "j1"]))
        _ = try await store.donate(rows(9999))
        stored.removeAll { ["i0", "j1"].contains($0) }
        stored += ["i9999", "j9999"]
        try await tell("later", store, stored)
        await store.flushAndClose()
        try await tell("again", DonationChild.open(home), stored)
    }

    /// Two rows that are stored together or not at all, one with an image.
    private func rows(_ number: Int) -> [Donation] {
        var first = DonationScript.interaction("i\(number)", group: "g")
        first.payload = [UInt8](repeating: UInt8(number % 251), count: 3000)
        var second = DonationScript.interaction("j\(number)", group: "g")
        if number % 3 == 0 {
            second.images = [
                .init(parameter: "soup", bytes: [UInt8](repeating: 7, count: 9000))
            ]
        }
        return [first, second]
    }

    private func makeRoom() throws {
        try FileManager.default.removeItem(atPath: ballast)
        // Without effect where no limit was set.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
    }

    /// Whether the store has exactly what it reported, and a file for each image and no other.
    private func tell(_ when: String, _ store: DonationStore, _ stored: [String]) async throws {
        let rows = try await store.list(.interaction, limit: 10_000)
        let named = rows.flatMap { $0.images.compactMap(\.file) }.sorted()
        let files = (try? FileManager.default.contentsOfDirectory(atPath: home + "/images")) ?? []
        let isRight = rows.map(\.identifier).sorted() == stored.sorted()
        DonationChild.say("\(when) rows \(isRight) images \(named == files.sorted())")
    }
}
