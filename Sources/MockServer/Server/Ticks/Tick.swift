import CloudModel

/// Something that the service does later than the request it follows from. By itself where the switch
/// `async` is `auto`; where it is `manual`, when it is told to.
enum Tick: String, Sendable, CaseIterable {
    case defaultZoneCascade
    case indexLag
    case zoneListLag
    case zoneDeletion
    case push
    case tombstoneCompaction
    case tokenExpiry

    /// What waits, and what a tick does with it.
    var about: String {
        switch self {
        case .defaultZoneCascade:
            "records of default zones whose target is deleted: they are deleted too"
        case .indexLag: "zones with writes that queries do not find yet: they find them"
        case .zoneListLag: "deleted zones that lists of zones still have: they have them no more"
        case .zoneDeletion: "deleted zones that reading requests still find: they find them no more"
        case .push: "pushes that are held back: they go out"
        case .tombstoneCompaction:
            "deletions of records that the feeds remember: they are forgotten, as by the act compact"
        case .tokenExpiry:
            "databases with change tokens that are good: these expire, as by the act expire-tokens"
        }
    }

    /// Whether a tick can do a part of it.
    var canBeCounted: Bool {
        switch self {
        case .defaultZoneCascade, .indexLag, .zoneListLag, .zoneDeletion, .push: true
        case .tombstoneCompaction, .tokenExpiry: false
        }
    }

    /// - Throws: ``AdminError`` that names the nearest.
    init(asked name: String) throws(AdminError) {
        guard let tick = Self(rawValue: name) else {
            guard name != "shareInvite" else {
                throw AdminError(
                    "shareInvite: whoever shares sends the invitation, not the service, so nothing "
                        + "of it waits here; records/accept is what takes it")
            }
            let all = Self.allCases.map(\.rawValue)
            throw AdminError(
                "there is no tick \"\(name)\"\(NearestName.hint(for: name, among: all)); one of "
                    + all.joined(separator: ", "))
        }
        self = tick
    }
}
