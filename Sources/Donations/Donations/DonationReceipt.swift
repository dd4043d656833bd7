/// What a deletion removed, or would remove.
///
/// Rows are named by digest, never by what the app or the user calls them; the selector is the
/// caller's own words, until it is taken out by ``redacted(_:)``.
public struct DonationReceipt: Sendable, Codable, Hashable {
    /// Why a row went.
    public enum Rule: String, Sendable, Codable, Hashable, CaseIterable {
        /// The selector names it.
        case direct
        /// An activity whose strongly related item went.
        case relatedItem
        /// An activity with that persistent identifier.
        case persistentIdentifier
        /// Its domain, or that of its item, is the named one or lies below it.
        case domain
        /// An interaction, because all searchable items went.
        case allItemsInteractions
        /// Its time was over.
        case expiry
        /// It is linked to content that went.
        case content
        /// The event of a saved activity that expired.
        case savedActivity
        /// Not removed: it mentions what was looked for.
        case mention
        /// Not removed: the same letters in other bytes.
        case canonicallyEqual
        /// Not removed: the name is there, but as another kind of key.
        case otherKey
    }
    /// A row, or in ``nearMisses`` one that was nearly meant.
    public struct Entry: Sendable, Codable, Hashable {
        public var kind: DonationKind
        public var identifierDigest: String
        public var rule: Rule
        /// Its public parts may have left the device; nothing can call them back.
        public var wasPublic: Bool

        /// A row and why it is listed.
        public init(
            kind: DonationKind, identifierDigest: String, rule: Rule, wasPublic: Bool = false
        ) {
            self.kind = kind
            self.identifierDigest = identifierDigest
            self.rule = rule
            self.wasPublic = wasPublic
        }
    }
    /// How many rows of a kind went by a rule.
    public struct Count: Sendable, Codable, Hashable {
        public var kind: DonationKind
        public var rule: Rule
        public var rows: Int

        /// A number of rows.
        public init(kind: DonationKind, rule: Rule, rows: Int) {
            self.kind = kind
            self.rule = rule
            self.rows = rows
        }
    }
    /// What stays although one might think otherwise.
    public enum Remark: String, Sendable, Codable, Hashable, CaseIterable {
        /// Interactions that Siri recorded for the app.
        case siriInteractions
        /// Activities that were never related to an item.
        case unrelatedActivities
        /// Shortcuts that the user recorded.
        case voiceShortcuts
        /// Activities whose attribute set has the domain, when a named index was asked.
        case activitiesOfDomain
        /// What the public index took cannot be called back.
        case publicParts
        /// The system may show what was tapped recently for a while.
        case recentResults
        /// Items about which the delegate of their index was asked, and did not answer in time.
        case delegateSilent
    }
    /// A remark with the number of rows it is about.
    public struct Note: Sendable, Codable, Hashable {
        public var remark: Remark
        public var rows: Int

        /// A remark about some rows.
        public init(remark: Remark, rows: Int) {
            self.remark = remark
            self.rows = rows
        }
    }

    public var selector: DonationSelector
    public var scope: DeletionScope
    /// How many rows went, by kind and rule: always complete.
    public var counts: [Count] = []
    /// The rows that went; only the first ones of a large deletion (see ``isComplete``).
    public var removed: [Entry] = []
    /// Whether ``removed`` lists every row that ``counts`` counts.
    public var isComplete = true
    /// How many rows of each kind stayed.
    public var kept: [DonationKind: Int] = [:]
    /// Rows that the caller may have meant, when an identifier matched nothing.
    public var nearMisses: [Entry] = []
    /// Digests of the identifiers that matched nothing.
    public var unmatched: [String] = []
    /// How many identifiers matched nothing, listed or not.
    public var unmatchedCount = 0
    /// How many of the removed rows were public.
    public var publicRows = 0
    /// Interactions that stayed, with the activity in their response taken out.
    public var scrubbed: [Entry] = []
    /// How many interactions were scrubbed, listed or not.
    public var scrubbedCount = 0
    public var notes: [Note] = []
    /// The number of this deletion in the store's journal; 0 for a preview.
    public var journalSequence: UInt64 = 0

    /// An empty receipt.
    public init(selector: DonationSelector, scope: DeletionScope) {
        self.selector = selector
        self.scope = scope
    }

    /// How many rows went.
    public var removedCount: Int { counts.reduce(0) { $0 + $1.rows } }

    /// How many rows of a kind went.
    public func removedCount(_ kind: DonationKind) -> Int {
        counts.reduce(0) { $0 + ($1.kind == kind ? $1.rows : 0) }
    }
}
