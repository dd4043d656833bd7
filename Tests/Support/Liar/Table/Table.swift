/// All runs with one lie, or with two where the second hides what the first has done.
///
/// Kinds are crossed with spots; moments and verbs take turns, so that each kind meets each of
/// them somewhere.
package enum Table {
    package static let rows: [Row] = {
        let names = Set(crossings.map(\.name))
        return (crossings + moments.filter { !names.contains($0.name) })
            .filter { !$0.lies.contains(where: isTrue) }
    }()

    private static func isTrue(_ lie: Lie) -> Bool {
        singles.contains(lie.spot) && lie.kind.name == Kind.lastAsFirst.name
    }

    private static let crossings: [Row] =
        (honest + persons + connections).map(\.widened) + hiding + alone + hidden + strange + pages
        + statuses + transport + deletions + comebacks

    /// Nothing is lied about.
    private static let honest: [Row] =
        [Row.Verb.sweep, .apply, .resume].flatMap { verb in
            [Row(verb, [])] + Population.Twist.allCases.map { Row(verb, [], twist: $0) }
        }

    // MARK: What is there is not shown

    /// Each place alone: then a command has nothing else to notice that something is wrong.
    private static let alone: [Row] = Population.Place.allCases.flatMap { place in
        rotate(
            [.plan, .verify, .sweep], place.listings, [.always], hidingKinds, each: 1, [place])
    }

    package static let hidingKinds = Kind.hidingItems + Kind.hidingBodies + Kind.hidingStatuses

    private static let hiding: [Row] =
        cross([.sweep], listings, [.always], hidingKinds)
        + cross([.sweep], lookUps, [.always], Kind.hidingItems)
        + rotate(
            [.apply, .resume], keptListings, [.once, .onceDuring(.pass(1)), .from(2)],
            hidingKinds, each: 3)
        + rotate([.apply, .resume], subscriptions, [.once, .during(.look)], hidingKinds, each: 1)
        + cross([.sweep, .apply], [.sharedRecordChanges], [.once], Kind.hidingItems)
        + cross([.sweep, .apply], feeds, [.always, .once], Kind.hidingPages)
        + cross([.sweep, .apply], queries, [.always, .once], Kind.hidingQueryPages)

    /// Deletions that are not carried out, and a second lie that hides what is left.
    private static let hidden: [Row] =
        concealments.flatMap { hide($0.modifying, behind: $0.listing, .afterwards, hidingKinds) }
        // What the person made in a zone of others is looked at for the last time before it is left.
        + hide(
            .shared(.modifyRecords), behind: .sharedRecordChanges, .during(.delete), hidingKinds)
        // They are looked up once before they are deleted, and then again.
        + hide(
            .shared(.modifyRecords), behind: .shared(.lookUpRecords), .fromDuring(2, .delete),
            Kind.hidingItems)
        + cross(
            [.sweep, .resume], [.public(.lookUpRecords), .shared(.lookUpRecords)],
            [.onceDuring(.delete), .during(.delete)], Kind.hidingItems)

    /// Rows with deletions that are acknowledged alone, and each of `kinds` told where one would see it.
    private static func hide(
        _ modifying: Spot, behind listing: Spot, _ moment: Moment, _ kinds: [Kind]
    ) -> [Row] {
        let verbs: [Row.Verb] = [.sweep, .apply, .resume]
        return kinds.enumerated().map { number, kind in
            Row(
                verbs[number % verbs.count],
                [Lie(modifying, .always, Kind.deletionsNotDone[0]), Lie(listing, moment, kind)])
        }
    }

    // MARK: What is shown is not so

    private static let strange: [Row] =
        rotate(
            [.sweep, .apply], listings + lookUps, [.always, .once], Kind.strangeItems, each: 7)
        + cross(
            [.sweep, .apply], records, [.always, .once], Kind.strangeRecords, allMoments: true)
        + rotate(
            [.sweep, .resume], listings + lookUps, [.always, .once], Kind.strangeBodies, each: 7)
        + cross([.sweep, .apply], listings + lookUps, [.always], Kind.staleBodies)

    private static let pages: [Row] =
        cross([.sweep], paged, [.always, .during(.pass(2))], Kind.strangePages)
        + cross([.apply], paged, [.always], Kind.backwardPages)

    private static let statuses: [Row] =
        rotate(
            [.sweep, .apply], reading, [.always, .once, .during(.pass(1)), .during(.pass(2))],
            Kind.strangeStatuses, each: 3)
        + rotate([.sweep, .apply], modifying, [.always, .once], Kind.strangeStatuses, each: 1)

    private static let transport: [Row] =
        rotate(
            [.sweep, .resume], reading, [.always, .once, .from(2), .during(.pass(2))],
            Kind.transport, each: 3)
        + rotate([.sweep, .resume], modifying, [.always, .once], Kind.transport, each: 2)

    // MARK: What is done is not what is said

    private static let deletions: [Row] =
        cross([.sweep, .apply, .resume], modifying, [.always], Kind.deletionsNotDone)
        + cross([.sweep], modifying, [.always, .once], Kind.deletionsDenied)
        + cross([.sweep], modifying, [.always], Kind.deletionsMixedUp)

    private static let comebacks: [Row] =
        cross(
            [.sweep, .apply], [.everything],
            [.onceDuring(.pass(1)), .onceDuring(.pass(2)), .onceDuring(.delete)], Kind.comebacks,
            allMoments: true)
        + cross(
            [.sweep, .apply], feeds, [.onceDuring(.look), .from(2)], Kind.goings,
            allMoments: true)

    // MARK: Who asks, and who answers

    private static let persons: [Row] =
        cross(
            [.sweep, .apply, .resume], [.private(.caller)],
            [.always, .once, .from(2), .during(.pass(1)), .during(.pass(2))], Kind.wrongPerson,
            allMoments: true)
        + cross(
            [.sweep, .resume], [.everything],
            [.from(2), .during(.delete), .during(.pass(1)), .during(.pass(2))], Kind.wrongToken,
            allMoments: true)

    /// Each operation at each moment: what no other row has yet.
    private static let moments: [Row] =
        reading.enumerated().flatMap { place, spot in
            readingMoments.filter { spot != .private(.lookUpRecords) || $0 != .during(.look) }
                .enumerated().map { number, moment in
                    let kind = bareKinds[(place + number) % bareKinds.count]
                    return Row([.sweep, .apply][number % 2], [Lie(spot, moment, kind)]).excused
                }
        }
        + modifying.enumerated().flatMap { place, spot in
            modifyingMoments.enumerated().map { number, moment in
                let kind = Kind.deletionsNotDone[(place + number) % Kind.deletionsNotDone.count]
                return Row(.sweep, [Lie(spot, moment, kind)])
            }
        }

    /// When something is asked.
    package static let readingMoments: [Moment] = [
        .always, .once, .from(2), .during(.look), .during(.pass(1)), .during(.pass(2)),
        .onceDuring(.pass(2)),
    ]
    /// When something is changed.
    package static let modifyingMoments: [Moment] = [.always, .once, .during(.delete)]
    /// What is untrue even of a list with nothing in it.
    private static let bareKinds =
        Array(Kind.hidingBodies.prefix(5)) + Array(Kind.hidingStatuses.prefix(5))

    private static let connections: [Row] = ConnectionLie.Kind.allCases.flatMap { kind in
        [Moment.always, .from(4), .during(.delete), .during(.pass(2))].map {
            Row(.sweep, [], connections: ConnectionLie(moment: $0, kind: kind))
        }
    }
}
