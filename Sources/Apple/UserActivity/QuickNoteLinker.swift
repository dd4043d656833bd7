public import DonationStore
internal import Donations
internal import Foundation

/// Makes links to what is current in a store, and finds out where a link leads.
///
/// An app cannot delete a link that a person put in a note (D19); after its content was deleted,
/// the link is dead, and stays so until that content is donated again.
public struct QuickNoteLinker: Sendable {
    /// Where a link leads.
    public enum Resolution: Hashable, Sendable {
        /// To content that is still stored, under this title.
        case content(title: String?)
        /// To nothing: the content was deleted, or only ever was on another device.
        case deadLink
    }

    private let store: DonationStore

    /// A linker for the contents of `store`.
    public init(store: DonationStore) { self.store = store }

    /// A link to what the current activity shows; nil when nothing is current, or when it has
    /// none of an https address, a persistent identifier and a target content identifier.
    public func link() async -> QuickNoteLink? {
        await NSUserActivity.advertised(in: store).flatMap(QuickNoteLink.init)
    }

    /// Where `link` leads on this device. Only stored activities count, and only one with the very
    /// identifier of the link.
    public func resolve(_ link: QuickNoteLink) async throws -> Resolution {
        if case .persistentIdentifier(let name) = link.key {
            let rows = try await store.list(.activities(persistentIdentifiers: [name]), limit: 1000)
            return resolution(of: link, in: rows) ?? .deadLink
        }
        var last: Int64 = 0
        while true {
            let rows = try await store.list(.savedActivity, after: last, limit: 1000)
            if let found = resolution(of: link, in: rows) { return found }
            guard let row = rows.last?.row, row > last else { return .deadLink }
            last = row
        }
    }

    private func resolution(of link: QuickNoteLink, in rows: [Donation]) -> Resolution? {
        let now = store.configuration.moment
        let row = rows.first { row in
            row.kind == .savedActivity && row.type == link.activityType
                && row.expiration.map { $0 > now } ?? true
                && Self.keys(of: row).contains { $0.isSame(as: link.key) }
        }
        return row.map { .content(title: $0.title) }
    }

    private static func keys(of row: Donation) -> [QuickNoteLink.Key] {
        var keys: [QuickNoteLink.Key] = []
        if let name = row.persistentIdentifier { keys.append(.persistentIdentifier(name)) }
        if let name = row.targetContentIdentifier { keys.append(.targetContentIdentifier(name)) }
        if let url = row.webpageURL { keys.append(.webpageURL(url)) }
        return keys
    }
}
