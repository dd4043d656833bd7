import MockStore

extension World {
    /// The world of a seed.
    init(seed: UInt64, folder: String) {
        var luck = Luck(seed)
        let letters = ["a", "b", "c"].prefix(luck.pick([1, 1, 1, 2, 2, 3]))
        let configured = letters.map { "iCloud.world.\($0)" }
        let setup = Self.setup(seed, folder, &luck)
        let wish = Self.wish(configured, &luck)
        self.init(seed: seed, setup: setup, wish: wish)
        parallelism = luck.pick([1, 2, 4, 16])
        hasConflicts = luck.chance(20)
        self.wish.othersMayGo = luck.chance(20)
        if hasConflicts, luck.chance(60) {
            self.wish.rules.append(Wish.Rule(type: luck.pick(Self.types)))
        }
        for target in wish.targets { fill(target, &luck) }
        fillElsewhere(&luck)
        noteCascades()
        script = makeScript(&luck)
        // Last, so that a seed makes the same world as before there were files.
        addFiles(&luck)
        if configured.count == 1, luck.chance(16) { namePerson(&luck) }
    }

    private static func setup(
        _ seed: UInt64, _ folder: String, _ luck: inout Luck
    ) -> WorldService.Setup {
        var options = MockOptions()
        options.defaultZoneMode = luck.pick(MockOptions.DefaultZoneMode.allCases)
        options.listsDefaultZone = luck.chance(50)
        options.unknownTypeIsEmpty = luck.chance(30)
        options.zoneListLag = luck.pick([0, 0, 1, 2])
        options.emptyPages = luck.pick([0, 0, 1, 2])
        options.initialScan = luck.pick(MockOptions.InitialScan.allCases)
        options.databaseTokenJitter = luck.chance(30)
        options.delaysDefaultZoneCascade = luck.chance(60)
        options.zoneListPageMax = luck.number(1...4)
        options.zoneChangesPageMax = luck.number(1...4)
        options.recordsPageMax = luck.number(1...5)
        options.operationsMax = luck.number(1...4)
        return WorldService.Setup(
            seed: seed, options: options, singleUseTokens: luck.chance(15),
            folder: luck.chance(25) ? folder : nil)
    }

    private static func wish(_ containers: [String], _ luck: inout Luck) -> Wish {
        let targets = containers.map { container in
            var target = Wish.Target(container: container, types: types)
            target.zones = luck.chance(25) ? luck.some(zones + ["Gone"], 50) : []
            if luck.chance(6) { target.types = nil }
            if luck.chance(4) { target.types = [] }
            return target
        }
        var rules: [Wish.Rule] = []
        for _ in 0..<luck.pick([0, 0, 0, 1, 1, 2]) {
            rules.append(
                luck.pick([
                    Wish.Rule(zone: "Keep"), Wish.Rule(container: containers[0], zone: "Keep"),
                    Wish.Rule(type: "Log"), Wish.Rule(zone: "Notes", type: "Log"),
                    Wish.Rule(container: containers[0], type: "Tag"),
                    Wish.Rule(container: luck.pick(containers)),
                    Wish.Rule(zone: "_defaultZone", type: "Note"),
                ]))
        }
        let scopes: Set<String> =
            luck.chance(75)
            ? ["private", "shared", "public"] : luck.pick([["private"], ["private", "public"]])
        return Wish(targets: targets, scopes: scopes, rules: rules, names: [:])
    }
}
