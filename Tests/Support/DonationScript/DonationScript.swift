package import Basics
package import DonationStore
package import Donations

/// A script of 200 calls, for tests that end it at any moment: donations with and without images,
/// items, activities, deletions.
package enum DonationScript {
    /// One call of the script.
    package enum Call: Sendable {
        case donate(Int)
        case delete(Int)
        case index(Int)
        case activity(Int)
        case wipe
    }

    /// The instant at which everything is made.
    package static let time = Timestamp(milliseconds: 1_700_000_000_000)

    /// The calls of a seed.
    package static func calls(seed: UInt64) -> [Call] {
        var generator = SeededGenerator(seed: seed)
        return (0..<200).map { number in
            let name = Int(generator.next() % 12)
            // An erasure empties the log, so that copies of the files stay small.
            if number % 25 == 24 { return .wipe }
            return switch generator.next() % 10 {
            case 0..<4: .donate(name)
            case 4..<6: .delete(name)
            case 6: .index(name)
            case 7, 8: .activity(name)
            default: .donate(name)
            }
        }
    }

    /// Makes one call, and waits until it is on disk.
    package static func carryOut(
        _ call: Call, on store: DonationStore, number: Int
    ) async throws {
        switch call {
        case .donate(let name):
            var row = interaction("i\(name)", group: "g\(name % 3)")
            row.actionID = "\(number)"
            if name % 2 == 0 {
                row.images = [
                    .init(parameter: "soup", bytes: Array("image \(number)".utf8)),
                    .init(parameter: "bowl", bytes: [1, 2, 3]),
                ]
            }
            _ = try await store.donate([row])
        case .delete(let name):
            try await store.delete(
                name < 6
                    ? .interactions(identifiers: ["i\(name)"]) : .interactionGroup("g\(name % 3)"))
        case .index(let name):
            var item = Donation(
                .searchableItem, identifier: "x\(name % 4)", type: "public.text", at: time)
            item.title = "t\(number)"
            _ = try await store.index([(item, .replace)])
        case .activity(let name):
            var activity = Donation(.activity, type: "com.example.view", at: time)
            activity.persistentIdentifier = "p\(name)"
            activity.relatedIdentifier = "x\(name % 4)"
            activity.eligibility = [.search, .prediction]
            _ = try await store.donateActivity(activity)
        case .wipe: try await store.eraseEverything()
        }
    }

    /// An interaction of a group.
    package static func interaction(_ identifier: String, group: String) -> Donation {
        var row = Donation(
            .interaction, identifier: identifier, type: "OrderSoupIntent", at: time)
        row.group = group
        return row
    }

    /// What a store holds, in words, with what its images say.
    package static func state(_ store: DonationStore) async throws -> [String] {
        var words: [String] = []
        for row in try await store.list(.everything, limit: 10_000) {
            var word = "\(row.kind) \(row.row) \(row.identifier) \(row.actionID ?? "")"
            word += " \(row.title ?? "") \(row.persistentIdentifier ?? "")"
            for image in row.images {
                guard let bytes = try await store.image(image.file ?? "") else {
                    word += " an image is missing"
                    continue
                }
                word += " " + String(decoding: bytes, as: UTF8.self)
            }
            words.append(word)
        }
        return words
    }
}
