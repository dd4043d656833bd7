package import CloudWire
package import MockRules

/// What a difference says about the mock server: which of its rules it speaks of.
package struct RuleClue: Sendable {
    /// nil: any.
    let operations: Set<WireOperation>?
    /// A word of the difference: an error's code, or the last key of its path.
    let word: String
    /// Names of rules.
    package let rules: [String]

    init(_ word: String, _ operations: WireOperation..., rules: String...) {
        self.operations = operations.isEmpty ? nil : Set(operations)
        self.word = word
        self.rules = rules
    }

    /// The first that fits counts.
    package static let all: [RuleClue] = [
        RuleClue("CONFLICT", .modifyRecords, rules: "23", "24"),
        RuleClue("EXISTS", .modifyRecords, rules: "24", "shared-already"),
        RuleClue("NOT_FOUND", .modifyRecords, rules: "25", "30"),
        RuleClue("ATOMIC_ERROR", .modifyRecords, rules: "38", "43"),
        RuleClue("VALIDATING_REFERENCE_ERROR", .modifyRecords, rules: "51", "53"),
        RuleClue("ACCESS_DENIED", .modifyRecords, rules: "97", "right-before-tag"),
        RuleClue("BAD_REQUEST", .modifyRecords, rules: "35", "50", "missing-tag"),
        RuleClue("ZONE_NOT_FOUND", .modifyRecords, .lookUpRecords, .queryRecords, rules: "9"),
        RuleClue("NOT_FOUND", .lookUpRecords, rules: "31"),
        RuleClue("NOT_FOUND", .queryRecords, rules: "unknown-type"),
        RuleClue("ZONE_NOT_FOUND", .modifyZones, rules: "8"),
        RuleClue("BAD_REQUEST", .modifyZones, rules: "15", "16", "20"),
        RuleClue("ZONE_NOT_FOUND", .zoneChanges, .recordChanges, rules: "78"),
        RuleClue(
            "BAD_REQUEST", .zoneChanges, .recordChanges, rules: "74", "75", "77", "expired-token"),
        RuleClue("NOT_FOUND", .discoverUsers, .lookUpUsersByEmail, rules: "discoverable"),
        RuleClue("BAD_REQUEST", .modifySubscriptions, rules: "109", "110"),
        RuleClue("ACCESS_DENIED", .modifyZones, .modifySubscriptions, rules: "restricted-user"),
        RuleClue("AUTHENTICATION_REQUIRED", rules: "1", "api-token-alone", "expired-web-token"),
        RuleClue(
            "AUTHENTICATION_FAILED", rules: "unknown-credential", "undeclared-container",
            "no-credential"),
        RuleClue("THROTTLED", rules: "113"), RuleClue("TRY_AGAIN_LATER", rules: "115"),
        RuleClue("QUOTA_EXCEEDED", rules: "6"),
        RuleClue("moreComing", .zoneChanges, .recordChanges, rules: "67", "empty-pages"),
        RuleClue("deleted", .zoneChanges, .recordChanges, rules: "70", "71"),
        RuleClue("records", .zoneChanges, .recordChanges, rules: "61", "68", "71"),
        RuleClue("deletionReason", rules: "13", "deleted-zone-in-feeds"),
        RuleClue("zones", .databaseChanges, .zoneListChanges, rules: "88", "90", "92"),
        RuleClue("zones", .listZones, rules: "default-zone-listed", "zone-list-lag"),
        RuleClue("records", .queryRecords, rules: "107", "108"),
        RuleClue("continuationMarker", .queryRecords, rules: "108", "sparse-query"),
        RuleClue("users", .discoverUsers, .lookUpContacts, rules: "discover-everybody"),
        RuleClue("deviceID", rules: "device-of-a-record"),
        RuleClue("fileChecksum", rules: "file-checksum"),
        RuleClue("stableUrl", rules: "stable-url"),
    ]

    /// The rules that a difference speaks of; none where nobody can tell.
    package static func rules(
        for difference: JSONDifference, in operation: WireOperation?
    ) -> [BehaviorRule] {
        guard let operation else { return [] }
        let values = [difference.recorded, difference.found].compactMap { $0 }
            .map { $0.replacing("\"", with: "") }
        let key = String(difference.path.split(separator: ".").last ?? "")
        // An element of an array speaks for the array.
        let words = Set(values + [String(key.prefix { $0 != "[" })])
        let clue = all.first { clue in
            words.contains(clue.word) && clue.operations?.contains(operation) != false
        }
        return clue.map { clue in
            RuleBook.own.rules.filter { clue.rules.contains($0.name) }
        } ?? []
    }
}
