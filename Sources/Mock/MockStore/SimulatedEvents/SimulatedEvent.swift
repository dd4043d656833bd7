package import CloudModel

/// Something that happens outside of any request: a user changes the settings of a device, an owner changes a share, or the
/// service does later what follows from an earlier request.
///
/// In process ``MockStore/simulate(_:)`` simulates it, at a running server `POST /_mock/v1/simulate` and
/// `cloudkit-mock simulate`.
package struct SimulatedEvent: Sendable, Hashable {
    package var kind: Kind
    /// The account that it concerns.
    package var user: String?
    /// The other account of a share or of a change of accounts.
    package var other: String?
    package var device: String?
    package var container: Container.ID?
    /// nil: development; where a part of the service is meant, both.
    package var environment: Container.Environment?
    /// nil: private; where a part of the service is meant, every one.
    package var database: Database.Scope?
    package var zone: String?
    /// Of a snapshot or a role.
    package var name: String?
    /// How many zones, records or pushes; nil: all that are pending.
    package var count: Int?

    /// Parts of pending work that can be done at once.
    package static let countMax: Int64 = 1_000_000_000

    /// Describes an event; its other parameters are set by name.
    package init(
        _ kind: Kind, user: String? = nil, in container: Container.ID? = nil,
        zone: String? = nil, with other: String? = nil
    ) {
        self.kind = kind
        self.user = user
        self.container = container
        self.zone = zone
        self.other = other
    }

    /// What can happen, spelled as in requests and on the command line.
    package enum Kind: String, Sendable, CaseIterable {
        case purge
        case resetEncryptedData = "reset-encrypted-data"
        case recreateZone = "recreate-zone"
        case signOut = "sign-out"
        case signIn = "sign-in"
        case switchAccount = "switch-account"
        case restrict
        case unrestrict
        case fillQuota = "fill-quota"
        case freeQuota = "free-quota"
        case changeTerms = "change-terms"
        case acceptTerms = "accept-terms"
        case expireWebTokens = "expire-web-tokens"
        case rotateWebTokens = "rotate-web-tokens"
        case grantRole = "grant-role"
        case takeRole = "take-role"
        case share
        case leaveShare = "leave-share"
        case revokeShare = "revoke-share"
        case expireTokens = "expire-tokens"
        case compact
        case snapshot
        case restore
        case finishCascades = "finish-cascades"
        case updateIndexes = "update-indexes"
        case updateZoneLists = "update-zone-lists"
        case finishZoneDeletions = "finish-zone-deletions"
        case deliverPushes = "deliver-pushes"

        /// Pending work: what the service does later than the request that caused it. Automatically if the setting `async`
        /// is `auto`; when it is simulated if that is `manual`.
        package static let pending: [Kind] = [
            .finishCascades, .updateIndexes, .updateZoneLists, .finishZoneDeletions, .deliverPushes,
        ]

        /// One line for people.
        package var summary: String {
            switch self {
            case .purge: "the user deletes the app's data in the settings: one zone, or all"
            case .resetEncryptedData:
                "the keys of encrypted data are lost: one zone is deleted, or all"
            case .recreateZone: "a device deletes a zone and creates it again, empty"
            case .signOut: "the user signs out on a device, or on all"
            case .signIn: "the user signs in again on a device, or on all"
            case .switchAccount: "another user signs in on a device"
            case .restrict: "the user restricts a container's apps"
            case .unrestrict: "the user ends the restriction"
            case .fillQuota: "the user's iCloud storage is full, or with a container the app's"
            case .freeQuota: "storage is available again"
            case .changeTerms:
                "the terms of the service have changed, and the user has not accepted them"
            case .acceptTerms: "the user accepts them"
            case .expireWebTokens: "web tokens issued so far expire, on a device or all"
            case .rotateWebTokens:
                "web tokens are replaced; the old ones expire"
            case .grantRole: "the developer gives the user a role of the container's schema"
            case .takeRole: "the developer takes the role back"
            case .share: "the owner lets another user read a zone"
            case .leaveShare: "a participant leaves a zone"
            case .revokeShare: "the owner stops sharing a zone, with one user or all"
            case .expireTokens: "change tokens issued so far expire"
            case .compact: "the service compacts earlier deletions"
            case .snapshot: "the service saves its state under a name"
            case .restore: "the service restores the state saved under a name"
            case .finishCascades:
                "records of default zones whose target is deleted are deleted too"
            case .updateIndexes: "queries find what was written to a zone"
            case .updateZoneLists: "zone lists no longer contain deleted zones"
            case .finishZoneDeletions: "reads no longer find deleted zones"
            case .deliverPushes: "pushes that are held back are delivered"
            }
        }

        /// What it takes: the first list it needs, the second it can do without.
        package var parameters: (needed: [Parameter], optional: [Parameter]) {
            switch self {
            case .purge, .resetEncryptedData: ([.user, .container], [.environment, .zone])
            case .recreateZone: ([.user, .container, .zone], [.environment])
            case .signOut, .signIn: ([.user], [.device])
            case .switchAccount: ([.user, .with, .device], [])
            case .fillQuota, .freeQuota: ([], [.user, .container, .environment])
            case .changeTerms, .acceptTerms: ([.user], [])
            case .expireWebTokens, .rotateWebTokens: ([.user], [.device])
            case .restrict, .unrestrict: ([.user, .container], [.environment])
            case .grantRole, .takeRole: ([.user, .container, .name], [.environment])
            case .share, .leaveShare: ([.user, .with, .container, .zone], [.environment])
            case .revokeShare: ([.user, .container, .zone], [.with, .environment])
            case .expireTokens, .compact:
                ([], [.user, .container, .environment, .database, .zone])
            case .snapshot, .restore: ([.name], [])
            case .finishCascades, .updateIndexes, .updateZoneLists, .finishZoneDeletions,
                .deliverPushes:
                ([], [.count])
            }
        }
    }

    /// What to do instead of an event of an earlier version.
    package static let replacements = [
        "empty-pages": "use a fault such as \"changes/* 2 times -> empty page\"",
        "repeat-pages": "use a fault such as \"changes/* 2 times -> repeat page\"",
        "use-replica": "use a fault such as \"changes/* by user ann by device phone -> stale 30s\"",
        "leave-replica": "remove the \"stale\" fault that replaces use-replica",
        "default-zone-cascade": "use finish-cascades", "index-lag": "use update-indexes",
        "zone-list-lag": "use update-zone-lists", "zone-deletion": "use finish-zone-deletions",
        "push": "use deliver-pushes",
    ]

    /// What an event can be given, spelled as in requests and on the command line.
    package enum Parameter: String, Sendable, CaseIterable {
        case user
        case with
        case device
        case container
        case environment
        case database
        case zone
        case name
        case count
    }

    /// Whether a parameter is given.
    package func has(_ parameter: Parameter) -> Bool {
        switch parameter {
        case .user: user != nil
        case .with: other != nil
        case .device: device != nil
        case .container: container != nil
        case .environment: environment != nil
        case .database: database != nil
        case .zone: zone != nil
        case .name: name != nil
        case .count: count != nil
        }
    }

    /// What is missing or too much, in a sentence; nil when nothing is.
    package var problem: String? {
        let (needed, optional) = kind.parameters
        if let missing = needed.first(where: { !has($0) }) {
            return "\(kind.rawValue) needs \(missing.rawValue)"
        }
        if kind == .fillQuota || kind == .freeQuota, has(.user) == has(.container) {
            return "\(kind.rawValue) needs either user or container"
        }
        if kind == .fillQuota || kind == .freeQuota, has(.user), has(.environment) {
            return "\(kind.rawValue) takes an environment only with a container"
        }
        let taken = needed + optional
        guard let stray = Parameter.allCases.first(where: { has($0) && !taken.contains($0) })
        else { return nil }
        let names = taken.map(\.rawValue).joined(separator: ", ")
        return "\(kind.rawValue) takes no \(stray.rawValue), only \(names)"
    }

    /// What an event changed.
    package struct Report: Sendable, Hashable {
        /// One sentence for people.
        package var message: String
        /// How many things changed: zones, users or databases, depending on the event.
        package var changed: Int
        /// The zones that it changed, sorted; where there are more than 1,000, so many of them.
        package var zones: [String] = []
        /// The users whom it concerned beside the one who acted, sorted.
        package var users: [String] = []

        /// How much pending work of the same kind is left; nil: it was none.
        package var pending: Int?

        package init(message: String, changed: Int, zones: [String] = [], users: [String] = []) {
            self.message = message
            self.changed = changed
            self.zones = zones
            self.users = users
        }

        /// What was done of pending work.
        package init(done: Int, pending: Int) {
            self.init(message: "\(done) done, \(pending) pending", changed: done)
            self.pending = pending
        }
    }

    /// Why an event cannot be simulated; nothing has changed.
    package enum Refusal: Error, Sendable, Hashable {
        /// It is not whole, or makes no sense.
        case malformed(String)
        /// There is no room for it.
        case conflict(String)
        /// What it is about is not there.
        case notFound(String)
        case storage(MockStoreError)
    }
}
