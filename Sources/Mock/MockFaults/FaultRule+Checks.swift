import Basics
package import CloudModel
import CloudWire
import MockStore

/// Rules that can never fire.
extension FaultRule {
    /// Refuses a rule that matches none of the served containers; nil: any is.
    package func check(containers: [Container.ID]?) throws(FaultError) {
        guard let container, let containers,
            !containers.contains(where: { container.matches($0.rawValue) })
        else { return }
        throw FaultError(
            "no container served matches \(container)",
            suggestion: NearestName.closest(
                to: container.pattern, among: containers.map(\.rawValue)))
    }

    /// Refuses a rule whose parts contradict each other.
    func check() throws(FaultError) {
        guard !paths.isEmpty else {
            let ofItems = action.operations(countsRecords: false)
            if values[.records] != nil, operation.selected.contains(where: ofItems.contains) {
                throw FaultError(
                    "\(operation) counts \"items\", not \"records\"",
                    suggestion:
                        "\(operation) -> \(actionText.replacing(" records", with: " items"))")
            }
            throw FaultError(
                "\"\(actionText)\" has no effect with \(operation)",
                suggestion: legal[0] + " -> " + actionText)
        }
        if zone != nil, paths.allSatisfy(Self.zoneless.contains) {
            throw FaultError(
                "\(operation) names no zone, so zone \(zone?.pattern ?? "") never matches",
                suggestion: "\(operation) -> \(actionText)")
        }
        if recordType != nil, !paths.contains(where: Self.typed.contains) {
            throw FaultError(
                "\(operation) names no record type",
                suggestion: "records/query with type \(recordType ?? "") -> \(actionText)")
        }
        if scope == .public, let zone, !zone.matches("_defaultZone") {
            throw FaultError(
                "the public database has the zone _defaultZone only",
                suggestion: "in zone _defaultZone")
        }
        if scope ?? .private != .private,
            [.recreateZone, .purgeZone, .deleteZone].contains(action)
                || paths.allSatisfy(Self.privateOnly.contains)
        {
            throw FaultError(
                "\(operation) -> \(actionText) works in the private database only",
                suggestion: "in private")
        }
        if scope == .public,
            action == .staleZoneList
                || Self.ofAnswers.contains(action) && paths.allSatisfy(Self.neverPublic.contains)
        {
            throw FaultError(
                "the public database has no such list, so \(actionText) never happens",
                suggestion: "in private")
        }
        try checkParts()
        if action == .repeatPage, timesMax == .max,
            probability.map({ $0 == 1 }) ?? (every ?? 1 == 1)
        {
            throw FaultError(
                "a page that is always repeated never ends",
                suggestion: "\(operation) once -> repeat page")
        }
    }

    /// Refuses empty ranges.
    private func checkParts() throws(FaultError) {
        if let until, until <= after {
            throw FaultError(
                "it ends before it begins: until must be later than after",
                suggestion: "after 10s until 30s")
        }
        if let container, let wrong = container.pattern.first(where: { !Self.isOfContainers($0) }) {
            throw FaultError(
                "no container's identifier has \"\(wrong)\"", suggestion: "in container iCloud.*")
        }
        if let gate = text(.gate), !MockUser.isValid(name: gate) {
            throw FaultError(
                "a gate's name has 1 to 64 letters, digits or any of . - _ @", suggestion: "hold g1"
            )
        }
        if let least = whole(.milliseconds), let most = whole(.millisecondsMax), most < least {
            throw FaultError(
                "the second delay must be the longer one", suggestion: "delay \(most)ms..\(least)ms"
            )
        }
        if [.purgeZone, .deleteZone].contains(action),
            zone?.pattern == RecordZone.ID.default.zoneName
        {
            throw FaultError(
                "the default zone cannot be deleted",
                suggestion: "\(operation) in zone Notes -> \(actionText)")
        }
        if itemFilter.change != nil, paths.allSatisfy({ !Self.changing.contains($0) }) {
            throw FaultError(
                "\(operation) changes no items, so \"with \(text(.change) ?? "")\" never matches",
                suggestion: "records/modify with delete -> \(actionText)")
        }
        if itemFilter.record != nil, paths.allSatisfy({ !Self.naming.contains($0) }) {
            throw FaultError(
                "\(operation) names no records, so record \(text(.record) ?? "") never matches",
                suggestion: "records/modify with record r1 -> \(actionText)")
        }
    }

    /// Whether container identifiers or their patterns can contain the character.
    private static func isOfContainers(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
            || ".-*?".contains(character)
    }

    static let reset = "reset"
    /// The operations whose requests name each item that they change.
    private static let changing = [
        WireOperation.modifyZones, .modifyRecords, .modifySubscriptions,
    ].map(\.rawValue)
    /// The operations whose requests name records, subscriptions or shares.
    private static let naming = [
        WireOperation.lookUpRecords, .modifyRecords, .resolveShares, .acceptShares,
        .lookUpSubscriptions, .modifySubscriptions, .uploadAssets, .rereferenceAssets,
    ].map(\.rawValue)
    private static let zoneless =
        FaultOperation.paths { !$0.names.contains(.zone) }
        + WireTransfer.allCases.map(\.rawValue)
    private static let typed = FaultOperation.paths { $0.names.contains(.recordType) }
    /// The actions that change a response.
    private static let ofAnswers: Set<FaultAction> = [
        .emptyPage, .repeatPage, .dropItems, .repeatItems, .stalePage, .expireToken,
    ]
    private static let neverPublic: Set = [
        "zones/changes", "changes/database", "changes/zone", "records/changes",
    ]
    private static let privateOnly = FaultOperation.paths { $0.isModifying && $0.reply == .done }
}
