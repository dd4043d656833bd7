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
    /// A record that the person created in such a zone.
    case sharedRecord = 7
    /// The record of a share that the person gives others; it ends with its zone or its root.
    case shareGiven = 8
    /// A file beside a record; it ends with its record.
    case asset = 9

    /// Whether a plan can name it.
    package var isPlannable: Bool {
        switch self {
        case .subscription, .zoneRecord, .zone, .defaultZone, .record, .userRecord, .sharedZone,
            .sharedRecord:
            true
        case .shareGiven, .asset: false
        }
    }

    /// Whether two rows are about the same thing when their names are equal, whatever zone and
    /// type they give.
    package var isSameByName: Bool {
        switch self {
        case .subscription: true
        case .zoneRecord, .zone, .defaultZone, .record, .userRecord, .sharedZone, .sharedRecord,
            .shareGiven, .asset:
            false
        }
    }

    /// Whether it is a record that is deleted by its name.
    package var isRecord: Bool {
        switch self {
        case .zoneRecord, .record, .sharedRecord: true
        case .subscription, .zone, .defaultZone, .userRecord, .sharedZone, .shareGiven, .asset:
            false
        }
    }

    /// Whether deleting it ends the person's access to more than itself, so that everything else of
    /// its database comes first.
    package var endsAccess: Bool {
        switch self {
        case .sharedZone: true
        case .subscription, .zoneRecord, .zone, .defaultZone, .record, .userRecord, .sharedRecord,
            .shareGiven, .asset:
            false
        }
    }
}
