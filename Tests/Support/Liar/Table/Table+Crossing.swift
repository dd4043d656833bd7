extension Table {
    /// A row for each kind at each spot; verbs and moments take turns.
    ///
    /// - Parameter allMoments: Whether each kind and spot has a row for every moment.
    static func cross(
        _ verbs: [Row.Verb], _ spots: [Spot], _ moments: [Moment], _ kinds: [Kind],
        allMoments: Bool = false
    ) -> [Row] {
        var rows: [Row] = []
        for (place, spot) in spots.enumerated() {
            for (number, kind) in kinds.enumerated() {
                let turn = number + place
                let chosen = allMoments ? moments : [moments[turn % moments.count]]
                for (more, moment) in chosen.enumerated() {
                    let verb = verbs[(turn + more) % verbs.count]
                    rows.append(Row(verb, [Lie(spot, moment, kind)]).excused)
                }
            }
        }
        return rows
    }

    /// So many rows for each kind, at spots that take turns as verbs and moments do.
    static func rotate(
        _ verbs: [Row.Verb], _ spots: [Spot], _ moments: [Moment], _ kinds: [Kind], each: Int,
        _ places: Set<Population.Place> = Population.Place.all
    ) -> [Row] {
        kinds.enumerated().flatMap { number, kind in
            (0..<each).map { turn in
                let place = number * each + turn
                let lie = Lie(
                    spots[place % spots.count], moments[(number + turn) % moments.count], kind)
                return Row(verbs[place % verbs.count], [lie], places: places).excused
            }
        }
    }
}
