/// What a row of an inventory is about; the numbers give their order.
package enum ItemKind: Int, Sendable, CaseIterable {
    case subscription = 0
    /// A record of a custom zone, noted only where its zone cannot go as a whole.
    case zoneRecord = 1
    case zone = 2
    case defaultZone = 3
    /// A record of a default zone or of the public database.
    case record = 4
    case userRecord = 5
    /// A zone that somebody else shares with the person.
    case sharedZone = 6

    /// Whether a plan can name it.
    package var isPlannable: Bool {
        switch self {
        case .subscription, .zoneRecord, .zone, .defaultZone, .record, .userRecord: true
        case .sharedZone: false
        }
    }

    /// Whether two rows are about the same thing when their names are equal, whatever zone and
    /// type they give.
    package var isSameByName: Bool {
        switch self {
        case .subscription: true
        case .zoneRecord, .zone, .defaultZone, .record, .userRecord, .sharedZone: false
        }
    }

    /// Whether it is a record that is deleted by its name.
    package var isRecord: Bool {
        switch self {
        case .zoneRecord, .record: true
        case .subscription, .zone, .defaultZone, .userRecord, .sharedZone: false
        }
    }
}
