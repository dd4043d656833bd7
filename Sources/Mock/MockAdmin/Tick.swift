import Basics
import MockService

/// Pending work: what the service does later than the request that caused it. Automatically if the setting `async` is
/// `auto`; on request if it is `manual`.
package enum Tick: String, Sendable, CaseIterable {
    /// Parts of pending work that can be done at once.
    static let countMax: Int64 = 1_000_000_000

    case defaultZoneCascade
    case indexLag
    case zoneListLag
    case zoneDeletion
    case push
    case tombstoneCompaction
    case tokenExpiry

    /// What is pending, and what running it does.
    package var about: String {
        switch self {
        case .defaultZoneCascade:
            "records of default zones whose target is deleted: delete them too"
        case .indexLag: "zones with writes that queries do not find yet: update the indexes"
        case .zoneListLag: "deleted zones that zone lists still contain: remove them"
        case .zoneDeletion: "deleted zones that reads still find: remove them"
        case .push: "pushes that are held back: deliver them"
        case .tombstoneCompaction:
            "deletions of records in the feeds: compact them, like the event compact"
        case .tokenExpiry:
            "databases with valid change tokens: expire these, like the event expire-tokens"
        }
    }

    /// Whether a tick can do a part of it.
    package var canBeCounted: Bool {
        switch self {
        case .defaultZoneCascade, .indexLag, .zoneListLag, .zoneDeletion, .push: true
        case .tombstoneCompaction, .tokenExpiry: false
        }
    }

    /// - Throws: ``MockError`` that names the nearest.
    init(asked name: String) throws(MockError) {
        guard let tick = Self(rawValue: name) else {
            guard name != "shareInvite" else {
                throw MockError(
                    "shareInvite: the sharing user sends the invitation, not the service, so "
                        + "none is pending here; records/accept accepts it")
            }
            let all = Self.allCases.map(\.rawValue)
            throw MockError(
                "there is no tick \"\(name)\"\(NearestName.hint(for: name, among: all)); one of "
                    + all.joined(separator: ", "))
        }
        self = tick
    }
}
