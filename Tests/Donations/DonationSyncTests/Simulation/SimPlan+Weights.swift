// How likely each act is, by what a run is about.
extension SimPlan {
    private static let common: [Simulation.Act: Int] = [
        .donate: 40, .erase: 12, .expire: 3, .contentSave: 6, .contentDelete: 2, .userDeletes: 2,
        .backUp: 2, .evict: 1,
    ]

    private static let extra: [Theme: [Simulation.Act: Int]] = [
        .ordinary: [:],
        .sameThings: [.erase: 10],
        .rollBacks: [.backUp: 8, .rollBack: 8, .erase: 12],
        .lostZones: [.purge: 2, .zoneDelete: 2, .enable: 4],
        .collection: [.erase: 10, .absence: 2, .backUp: 2, .rollBack: 1],
        .content: [
            .contentSave: 20, .contentDelete: 10, .userDeletes: 8, .zoneDelete: 3, .purge: 1,
        ],
        .fences: [.fence: 2, .liftFence: 1, .contentSave: 10],
        .expiry: [.expire: 15],
        .opponents: [.erase: 10, .zoneDelete: 1],
        .tokens: [.contentDelete: 10, .contentSave: 15, .erase: 5, .snapshot: 8],
        .accounts: [.signOut: 2, .reset: 1, .enable: 4, .switchUser: 3],
    ]

    func weight(of act: Simulation.Act) -> Int {
        (Self.common[act] ?? 0) + (Self.extra[theme]?[act] ?? 0)
    }

    /// Zones that are purged or swept.
    var zonesAtRisk: [String] {
        SimWorld.contentZones + [SimWorld.zone.zoneID.zoneName]
    }

    /// How many interactions share a name.
    var sameNames: Double { theme == .sameThings ? 0.9 : 0.25 }
    /// How many donations name content.
    var linked: Double { theme == .content || theme == .fences || theme == .tokens ? 0.7 : 0.25 }
    /// How many donations end by themselves.
    var expiring: Double { theme == .expiry ? 0.5 : 0.1 }
}
