public import Foundation

/// Who wrote to whom.
extension CSSearchableItemAttributeSet {
    /// The account it belongs to.
    public var accountIdentifier: String? {
        get { self["accountIdentifier"] }
        set { self["accountIdentifier"] = newValue }
    }
    /// The account's addresses.
    public var accountHandles: [String]? {
        get { self["accountHandles"] }
        set { self["accountHandles"] = newValue }
    }
    /// The mailboxes it is in.
    public var mailboxIdentifiers: [String]? {
        get { self["mailboxIdentifiers"] }
        set { self["mailboxIdentifiers"] = newValue }
    }
    /// The text.
    public var textContent: String? {
        get { self["textContent"] }
        set { self["textContent"] = newValue }
    }
    /// The text as a web page.
    public var htmlContentData: Data? {
        get { self["htmlContentData"] }
        set { self["htmlContentData"] = newValue }
    }
    /// Who wrote it.
    public var authorNames: [String]? {
        get { self["authorNames"] }
        set { self["authorNames"] = newValue }
    }
    /// The writers' e-mail addresses.
    public var authorEmailAddresses: [String]? {
        get { self["authorEmailAddresses"] }
        set { self["authorEmailAddresses"] = newValue }
    }
    /// The writers' other addresses.
    public var authorAddresses: [String]? {
        get { self["authorAddresses"] }
        set { self["authorAddresses"] = newValue }
    }
    /// Who gets it.
    public var recipientNames: [String]? {
        get { self["recipientNames"] }
        set { self["recipientNames"] = newValue }
    }
    /// Their e-mail addresses.
    public var recipientEmailAddresses: [String]? {
        get { self["recipientEmailAddresses"] }
        set { self["recipientEmailAddresses"] = newValue }
    }
    /// Their other addresses.
    public var recipientAddresses: [String]? {
        get { self["recipientAddresses"] }
        set { self["recipientAddresses"] = newValue }
    }
    /// Telephone numbers in it.
    public var phoneNumbers: [String]? {
        get { self["phoneNumbers"] }
        set { self["phoneNumbers"] = newValue }
    }
    /// E-mail addresses in it.
    public var emailAddresses: [String]? {
        get { self["emailAddresses"] }
        set { self["emailAddresses"] = newValue }
    }
    /// Messaging addresses in it.
    public var instantMessageAddresses: [String]? {
        get { self["instantMessageAddresses"] }
        set { self["instantMessageAddresses"] = newValue }
    }
    /// Whether it seems to be junk.
    public var likelyJunk: NSNumber? {
        get { number("likelyJunk") }
        set { setNumber("likelyJunk", newValue) }
    }
    /// Who wrote it.
    public var authors: [CSPerson]? {
        get { people("authors") }
        set { setPeople("authors", newValue) }
    }
    /// Who gets it.
    public var primaryRecipients: [CSPerson]? {
        get { people("primaryRecipients") }
        set { setPeople("primaryRecipients", newValue) }
    }
    /// Who gets a copy.
    public var additionalRecipients: [CSPerson]? {
        get { people("additionalRecipients") }
        set { setPeople("additionalRecipients", newValue) }
    }
    /// Who gets a copy without the others knowing.
    public var hiddenAdditionalRecipients: [CSPerson]? {
        get { people("hiddenAdditionalRecipients") }
        set { setPeople("hiddenAdditionalRecipients", newValue) }
    }
}
