package import Basics

/// One stored row: an interaction, an event of an activity, a saved activity, an item of the
/// search index or an App Intents record.
///
/// It carries a copy of everything that a deletion rule looks at, so that each rule is a question
/// to this row alone and the order of deletions cannot matter.
package struct Donation: Sendable, Hashable {
    /// What may be done with it.
    package struct Eligibility: OptionSet, Sendable, Hashable {
        package let rawValue: Int
        /// The given flags.
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// May be continued on another device.
        package static let handoff = Eligibility(rawValue: 1)
        /// May be found by searching.
        package static let search = Eligibility(rawValue: 2)
        /// May be published by the system's public index.
        package static let publicIndexing = Eligibility(rawValue: 4)
        /// May be suggested.
        package static let prediction = Eligibility(rawValue: 8)
    }

    /// An activity inside an interaction's response.
    package struct NestedActivity: Sendable, Hashable {
        package var activityType: String
        package var persistentIdentifier: String?
        /// Canonical bytes of what it holds.
        package var payload: [UInt8]

        /// An activity inside an interaction's response.
        package init(activityType: String, persistentIdentifier: String?, payload: [UInt8]) {
            self.activityType = activityType
            self.persistentIdentifier = persistentIdentifier
            self.payload = payload
        }
    }

    /// An image of an intent's parameter. The store keeps the bytes in a file of their own.
    package struct Image: Sendable, Hashable {
        package var parameter: String
        /// The file's name, given by the store; nil before it is stored.
        package var file: String?
        /// The bytes to store; empty in rows that are read.
        package var bytes: [UInt8]

        /// An image that is to be stored.
        package init(parameter: String, bytes: [UInt8], file: String? = nil) {
            self.parameter = parameter
            self.bytes = bytes
            self.file = file
        }
    }

    package var kind: DonationKind
    /// The store's number of this row; 0 before it is stored.
    package var row: Int64 = 0
    /// What the app calls it: an interaction's or App Intents record's own identifier, an item's
    /// unique identifier. Empty for activities.
    package var identifier: String
    /// An interaction's group.
    package var group: String?
    /// An activity's persistent identifier.
    package var persistentIdentifier: String?
    /// The item that an activity is strongly related to.
    package var relatedIdentifier: String?
    /// The item that an activity is weakly related to; no rule looks at it.
    package var weakRelatedIdentifier: String?
    /// An item's domain, or that of an activity's attribute set.
    package var domain: String?
    /// The named index an item was put in; nil: the default one.
    package var indexName: String?
    package var protectionClass: String?
    /// Whether Siri recorded this for the app.
    package var isFromSiri = false
    /// Whether an activity's public parts may have left the device.
    package var isPublic: Bool { eligibility.contains(.publicIndexing) }
    package var eligibility: Eligibility = []
    /// What groups the events of one saved activity: its persistent identifier, or a key that the
    /// app's object made for itself; nil for other kinds.
    package var savedKey: String?

    /// When it happened: an interaction's interval, else ``donatedAt``.
    package var begin: Timestamp
    package var end: Timestamp
    /// When the app told the store; set by the store.
    package var donatedAt: Timestamp
    package var expiration: Timestamp?

    /// The activity's type, or the class of the intent.
    package var type: String
    package var title: String?
    package var displayName: String?
    package var keywords: [String] = []
    package var description: String?
    package var suggestedInvocationPhrase: String?
    package var webpageURL: String?
    package var targetContentIdentifier: String?
    /// What the ranker compares: an activity's ``PayloadValue/equalityKey(requiredKeys:)``, an
    /// interaction's ``predictionKey(parameters:combinations:)``.
    package var predictionKey: [UInt8]?
    /// The App Intents entity that an item or a record is about.
    package var entityType: String?
    package var entityIdentifier: String?
    /// An interaction's direction and status, an item's ranking hint: numbers by name.
    package var numbers: [String: Int64] = [:]
    /// Canonical bytes of everything else that is to come back unchanged.
    package var payload: [UInt8] = []
    /// Who and what is named inside: people's handles, texts of parameters.
    package var mentions: [String] = []
    package var nestedActivity: NestedActivity?
    package var images: [Image] = []
    /// What the app calls the act that this donation tells of; for the audit.
    package var actionID: String?
    package var link: ContentLink?

    /// A row with nothing but its kind, name, type and time.
    package init(_ kind: DonationKind, identifier: String = "", type: String, at: Timestamp) {
        self.kind = kind
        self.identifier = identifier
        self.type = type
        begin = at
        end = at
        donatedAt = at
    }
}
