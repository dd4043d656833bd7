/// The attributes of a searchable item that rules, searches and the remainder look at.
///
/// A payload of an item is a dictionary of attributes by their names, null for one that was set
/// to nothing.
package struct ItemAttributes: Sendable {
    private let values: [String: PayloadValue]

    /// Attributes by name.
    package init(_ values: [String: PayloadValue]) { self.values = values }

    /// The attributes of an item's payload; none when it is something else.
    package init(payload: [UInt8]) {
        var values: [String: PayloadValue] = [:]
        if case .dictionary(let pairs)? = try? PayloadValue(decoding: payload) {
            for case (.string(let name), let value) in pairs { values[name] = value }
        }
        self.values = values
    }

    /// What the item is called.
    package var title: String? { text("title") }
    /// What people see of it.
    package var displayName: String? { text("displayName") }
    /// What it is about.
    package var description: String? { text("contentDescription") }
    /// Words it is found by.
    package var keywords: [String] { values["keywords"].map(Self.texts) ?? [] }
    /// The uniform type identifier of the content; empty when it is not known.
    package var contentType: String { text("contentType") ?? "" }
    /// On an activity: the domain it is deleted by.
    package var domain: String? { text("domainIdentifier")?.orNil }
    /// On an activity: the item it is strongly related to.
    package var related: String? { text("relatedUniqueIdentifier")?.orNil }
    /// On an activity: the item it is weakly related to.
    package var weakRelated: String? { text("weakRelatedUniqueIdentifier")?.orNil }

    /// From 0 to 100; nil when it is not set.
    package var rankingHint: Int64? {
        switch values["rankingHint"] {
        case .integer(let hint): min(max(hint, 0), 100)
        case .double(let hint) where !hint.isNaN: Int64(min(max(hint, 0), 100))
        case .bool(let hint): hint ? 1 : 0
        default: nil
        }
    }

    /// Names and addresses of people, accounts and what else is named inside.
    package var mentions: [String] {
        Self.mentioning.flatMap { name in values[name].map(Self.texts) ?? [] }
    }

    private static let mentioning = [
        "alternateNames", "accountIdentifier", "accountHandles", "mailboxIdentifiers",
        "authorNames", "authorEmailAddresses", "authorAddresses", "recipientNames",
        "recipientEmailAddresses", "recipientAddresses", "phoneNumbers", "emailAddresses",
        "instantMessageAddresses", "authors", "primaryRecipients", "additionalRecipients",
        "hiddenAdditionalRecipients", "contactKeywords", "participants", "organizations",
        "containerIdentifier", "containerTitle", "subject", "comment",
    ]

    private func text(_ name: String) -> String? {
        if case .string(let text)? = values[name] { text } else { nil }
    }

    private static func texts(_ value: PayloadValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.strings)
        default: []
        }
    }
}
