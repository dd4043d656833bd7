/// Which rows a deletion means.
///
/// Each case is a rule that asks one row alone; see `matches`. An empty list and an empty
/// name mean nothing and delete nothing.
public enum DonationSelector: Hashable, Sendable, Codable {
    /// D1: interactions with one of these identifiers.
    case interactions(identifiers: [String])
    /// D2: interactions of a group.
    case interactionGroup(String)
    /// D3: every interaction the app donated; Siri's own records for it stay.
    case allInteractions
    /// D4: activities with one of these persistent identifiers, and their events.
    case activities(persistentIdentifiers: [String])
    /// D5: every activity.
    case allActivities
    /// D6: items, and the activities strongly related to them. `indexName` nil: in any index.
    case searchableItems(identifiers: [String], indexName: String?)
    /// D8: items of these domains and those below, and the activities related to them; without
    /// an index name also activities that carry such a domain themselves.
    case searchableDomains([String], indexName: String?)
    /// D9: all items, the activities related to one, and **every interaction, Siri's too**.
    case allSearchableItems(indexName: String?)
    /// D21: App Intents records with one of these identifiers.
    case appIntents(identifiers: [String])
    /// D21: App Intents records about an entity.
    case appIntentsAbout(entityType: String, entityIdentifier: String)
    /// D21: App Intents records of an intent, all or about one entity.
    case appIntentType(String, entityIdentifier: String?)
    /// D22: items made for these entities, all of the type when nil, and what relates to them.
    case appEntities(type: String, identifiers: [String]?)
    /// Activities of a type that the app no longer has.
    case activityType(String)
    /// Interactions, and App Intents records, of an intent that the app no longer has.
    case intentClass(String)
    /// What was done or donated from a moment on and before another, in milliseconds since 1970;
    /// items stay unless asked for.
    case donated(fromMilliseconds: Int64, untilMilliseconds: Int64, includingItems: Bool)
    /// Everything linked to a record, a zone or a container.
    case linked(ContentLink)
    /// D17, D18, D20: what one of the plain lists holds; `scope` nil: all of its parts.
    case list(DonationKind, scope: String?)
    /// D13, D14: what was past its time at a moment, in milliseconds since 1970.
    case expired(atMilliseconds: Int64)
    /// Everything but the voice shortcuts, which are the user's.
    case everything
}
