extension Table {
    /// Runs of an operator over the public records of a person who is named.
    package static let named: [Row] =
        ([Row.Verb.sweep, .apply, .resume].map { Row($0, []) } + namedLies).map(\.named)

    private static let verbs: [Row.Verb] = [.sweep, .apply, .resume]
    private static let query = Spot.public(.queryRecords)
    private static let lookUp = Spot.public(.lookUpRecords)
    private static let modify = Spot.public(.modifyRecords)

    private static let namedLies: [Row] =
        rotate(verbs, [query], [.always, .once, .from(2)], Kind.wrongCreators, each: 3)
        + cross([.sweep], [query], [.once], [Kind.wrongCreators[2], Kind.wrongCreators[5]])
        + cross([.sweep, .apply], [query], [.onceDuring(.look)], [.handedOver])
        + cross([.sweep, .resume], [modify], [.onceDuring(.delete)], [.handedOver])
        + rotate(verbs, [query, lookUp], [.always, .once], hidingKinds, each: 2)
        + rotate(
            verbs, [query, lookUp], [.always, .once], Kind.strangeItems + Kind.strangeRecords,
            each: 2)
        + cross(
            [.sweep, .apply], [query], [.always],
            Kind.hidingQueryPages + Kind.strangePages + Kind.backwardPages)
        + cross(
            verbs, [modify], [.always],
            Kind.deletionsNotDone + Kind.deletionsDenied + Kind.deletionsMixedUp)
        + cross([.sweep, .apply], [.everything], [.onceDuring(.pass(1))], publicComebacks)
        + rotate(verbs, [query, lookUp, modify], [.always], Kind.strangeStatuses, each: 1)

    private static let publicComebacks = Kind.comebacks.filter { $0.name.contains("public record") }
}
