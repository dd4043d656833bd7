/// Who has what, and where.
extension World {
    mutating func fill(_ target: Wish.Target, _ luck: inout Luck) {
        let container = target.container
        let own = "\(container)/development/private"
        // From here on the environment knows the types.
        for type in Self.types + [Self.hiddenType] {
            writes.append(
                Wire.save(
                    [Wire.Draft(name: "first-\(type)", type: type)], zone: "_defaultZone",
                    user: "ben", at: own))
        }
        for user in ["ada", "ben"] {
            let named = target.zones + wish.rules.compactMap(\.zone)
            let zones = Self.zones.filter { zone in
                luck.chance(user == "ben" ? 25 : named.contains(zone) ? 90 : 45)
            }
            for zone in zones {
                writes.append(Wire.createZone(zone, user: user, at: own))
                fill(zone, of: user, in: container, luck.number(0...4), &luck)
            }
            fill("_defaultZone", of: user, in: container, luck.number(0...4), &luck)
            subscribe(user, container, &luck)
            if luck.chance(25) {
                writes.append(
                    Wire.save(
                        [Wire.Draft(name: "USERS-RECORD", type: "Users")], zone: "_defaultZone",
                        user: user, at: "\(container)/development/public"))
            }
        }
        fillPublic(container, &luck)
        if luck.chance(20) { hide(in: container, &luck) }
        if luck.chance(6) { invite(to: container, luck) }
        if luck.chance(10) {
            shares.append(share(container, from: "ada", to: "ben"))
        }
    }

    /// The other person lets the person into a zone, who may write there too.
    private mutating func invite(to container: String, _ luck: Luck) {
        shares.append(share(container, from: "ben", to: "ada"))
        // From a copy, so that a seed makes the same world as before there were guests.
        var other = luck
        guard other.chance(70) else { return }
        writes.append(
            Wire.shareForWriting(
                Self.sharedZone, user: "ben", at: "\(container)/development/private"))
        let drafts = (1...other.number(1...4)).map {
            Wire.Draft(name: "guest-\($0)", type: other.pick(Self.types))
        }
        guests.append((container, drafts))
        wish.deletesMine = other.chance(50)
    }

    private mutating func share(
        _ container: String, from owner: String, to other: String
    ) -> String {
        let own = "\(container)/development/private"
        writes.append(Wire.createZone(Self.sharedZone, user: owner, at: own))
        writes.append(
            Wire.save(
                [Wire.Draft(name: "for-\(other)", type: "Note")], zone: Self.sharedZone,
                user: owner,
                at: own))
        return """
            {"event":"share","user":"\(owner)","with":"\(other)","container":"\(container)",\
            "zone":"\(Self.sharedZone)"}
            """
    }

    private mutating func fill(
        _ zone: String, of user: String, in container: String, _ count: Int, _ luck: inout Luck
    ) {
        guard count > 0 else { return }
        let drafts = (1...count).map {
            Wire.Draft(name: "n\($0)", type: luck.pick(Self.types))
        }
        let place = Place(user: user, container: container, scope: "private", zone: zone)
        let linked = link(drafts.map { ($0, user) }, at: place, &luck)
        save(linked.map(\.draft), by: user, at: place)
    }

    private mutating func fillPublic(_ container: String, _ luck: inout Luck) {
        var drafts: [(draft: Wire.Draft, by: String)] = []
        for user in ["ada", "ben"] {
            for number in 0..<luck.number(0...3) {
                let type = luck.pick(Self.types)
                drafts.append((Wire.Draft(name: "\(user)-p\(number)", type: type), user))
            }
        }
        // Whose records come first decides who can refer to whom by VALIDATE.
        if luck.chance(50) { drafts.reverse() }
        let place = Place(user: "", container: container, scope: "public", zone: "_defaultZone")
        for (draft, user) in link(drafts, at: place, &luck) { save([draft], by: user, at: place) }
    }

    private mutating func save(_ drafts: [Wire.Draft], by user: String, at place: Place) {
        guard !drafts.isEmpty else { return }
        // Pages of operations may be as small as one.
        for draft in drafts {
            writes.append(
                Wire.save([draft], zone: place.zone, user: user, at: place.path))
        }
    }

    private mutating func subscribe(_ user: String, _ container: String, _ luck: inout Luck) {
        for scope in ["private", "public"] {
            for type in luck.some(Self.types, 20) {
                writes.append(
                    Wire.subscribe(
                        "watch-\(type)", to: type, user: user,
                        at: "\(container)/development/\(scope)"))
            }
        }
        for scope in luck.some(["private", "shared"], 20) {
            writes.append(
                Wire.subscribe(
                    "watch-all", to: nil, user: user, at: "\(container)/development/\(scope)"))
        }
    }

    /// A type that only a subscription or a record in a custom zone tells of.
    private mutating func hide(in container: String, _ luck: inout Luck) {
        let hidden = Self.hiddenType
        let scopes = luck.pick([["private"], ["public"], ["private", "public"]])
        for scope in scopes {
            writes.append(
                Wire.save(
                    [Wire.Draft(name: "hidden-\(scope)", type: hidden)], zone: "_defaultZone",
                    user: "ada", at: "\(container)/development/\(scope)"))
        }
        let own = "\(container)/development/private"
        if luck.chance(40) {
            writes.append(Wire.createZone("Photos", user: "ada", at: own))
            writes.append(
                Wire.save(
                    [Wire.Draft(name: "hint", type: hidden)], zone: "Photos", user: "ada", at: own))
        } else {
            writes.append(
                Wire.subscribe(
                    "watch-hidden", to: hidden, user: "ada",
                    at: "\(container)/development/\(luck.pick(["private", "public"]))"))
        }
    }

    /// The person's things where the sweep must not go.
    mutating func fillElsewhere(_ luck: inout Luck) {
        for place in ["iCloud.world.z/development", "iCloud.world.a/production"]
        where luck.chance(60) {
            writes.append(Wire.createZone("Notes", user: "ada", at: place + "/private"))
            for zone in ["Notes", "_defaultZone"] {
                writes.append(
                    Wire.save(
                        [Wire.Draft(name: "n1", type: "Note")], zone: zone, user: "ada",
                        at: place + "/private"))
            }
            writes.append(
                Wire.save(
                    [Wire.Draft(name: "elsewhere", type: "Note")], zone: "_defaultZone",
                    user: "ada", at: place + "/public"))
            writes.append(
                Wire.subscribe("watch-Note", to: "Note", user: "ada", at: place + "/private"))
        }
    }
}
