extension World {
    /// Where records are that can refer to each other.
    struct Place {
        /// Empty: public.
        let user: String
        let container: String
        let scope: String
        let zone: String

        var path: String { "\(container)/development/\(scope)" }
        func thing(_ name: String) -> Thing {
            Thing(
                user: user, container: container, environment: "development", scope: scope,
                zone: zone, kind: .record, name: name)
        }
    }

    /// Lets records refer to each other.
    ///
    /// In a world without conflicts no reference ties what stays to what goes, and what is
    /// validated comes first.
    mutating func link(
        _ drafts: [(draft: Wire.Draft, by: String)], at place: Place, _ luck: inout Luck
    ) -> [(draft: Wire.Draft, by: String)] {
        var linked = drafts
        for index in drafts.indices where luck.chance(hasConflicts ? 60 : 35) {
            let target = luck.number(0...(drafts.count - 1))
            guard target != index else { continue }
            var action = luck.pick([
                Edge.Action.deleteSelf, .deleteSelf, .deleteSelf, .validate, .none,
            ])
            let (source, aim) = (drafts[index], drafts[target])
            if !hasConflicts, stays(source, at: place), !stays(aim, at: place) { action = .none }
            // What is validated must be there already.
            if action == .validate, target > index { action = .deleteSelf }
            if !hasConflicts, stays(source, at: place), !stays(aim, at: place) { action = .none }
            linked[index].draft.references.append(("link", aim.draft.name, action))
            edges.append(
                Edge(
                    source: place.thing(source.draft.name), target: place.thing(aim.draft.name),
                    action: action))
            // A child keeps its parent, so both go or both stay.
            if target < index, source.by == aim.by, luck.chance(20),
                stays(source, at: place) == stays(aim, at: place)
            {
                linked[index].draft.parent = aim.draft.name
            }
        }
        return linked
    }

    /// Tells the service where deleting goes on after the request.
    mutating func noteCascades() {
        guard setup.options.delaysDefaultZoneCascade else { return }
        for edge in edges
        where edge.action == .deleteSelf && edge.source.zone == "_defaultZone"
            && ["", "ada"].contains(edge.source.user)
        {
            let place = "\(edge.source.container)/development/\(edge.source.scope)"
            setup.cascades[place, default: 0] += 1
        }
    }

    private func stays(_ record: (draft: Wire.Draft, by: String), at place: Place) -> Bool {
        let thing = place.thing(record.draft.name)
        return record.by != "ada" || !wish.scopes.contains(place.scope)
            || wish.keeps(thing, Facts(type: record.draft.type, text: ""))
    }
}
