public import Foundation

/// What documents tell about themselves.
extension CSSearchableItemAttributeSet {
    /// What it is about, in some words.
    public var contentDescription: String? {
        get { self["contentDescription"] }
        set { self["contentDescription"] = newValue }
    }
    /// Its subject.
    public var subject: String? {
        get { self["subject"] }
        set { self["subject"] = newValue }
    }
    /// Its theme.
    public var theme: String? {
        get { self["theme"] }
        set { self["theme"] = newValue }
    }
    /// The app's identifier of the document.
    public var identifier: String? {
        get { self["identifier"] }
        set { self["identifier"] = newValue }
    }
    /// A remark on it.
    public var comment: String? {
        get { self["comment"] }
        set { self["comment"] = newValue }
    }
    /// What kind of document it is, for people.
    public var kind: String? {
        get { self["kind"] }
        set { self["kind"] = newValue }
    }
    /// The app that made it.
    public var creator: String? {
        get { self["creator"] }
        set { self["creator"] = newValue }
    }
    /// The apps that made its form.
    public var encodingApplications: [String]? {
        get { self["encodingApplications"] }
        set { self["encodingApplications"] = newValue }
    }
    /// How it is protected.
    public var securityMethod: String? {
        get { self["securityMethod"] }
        set { self["securityMethod"] = newValue }
    }
    /// Whom it is for.
    public var audiences: [String]? {
        get { self["audiences"] }
        set { self["audiences"] = newValue }
    }
    /// The fonts in it.
    public var fontNames: [String]? {
        get { self["fontNames"] }
        set { self["fontNames"] = newValue }
    }
    /// Megabytes.
    public var fileSize: NSNumber? {
        get { number("fileSize") }
        set { setNumber("fileSize", newValue) }
    }
    /// How many pages it has.
    public var pageCount: NSNumber? {
        get { number("pageCount") }
        set { setNumber("pageCount", newValue) }
    }
    /// Points.
    public var pageWidth: NSNumber? {
        get { number("pageWidth") }
        set { setNumber("pageWidth", newValue) }
    }
    /// Points.
    public var pageHeight: NSNumber? {
        get { number("pageHeight") }
        set { setNumber("pageHeight", newValue) }
    }
    /// When the content was made.
    public var contentCreationDate: Date? {
        get { self["contentCreationDate"] }
        set { self["contentCreationDate"] = newValue }
    }
    /// When the content changed last.
    public var contentModificationDate: Date? {
        get { self["contentModificationDate"] }
        set { self["contentModificationDate"] = newValue }
    }
    /// When it came to its place.
    public var addedDate: Date? {
        get { self["addedDate"] }
        set { self["addedDate"] = newValue }
    }
    /// When it was downloaded.
    public var downloadedDate: Date? {
        get { self["downloadedDate"] }
        set { self["downloadedDate"] = newValue }
    }
    /// When it was used last.
    public var lastUsedDate: Date? {
        get { self["lastUsedDate"] }
        set { self["lastUsedDate"] = newValue }
    }
    /// Where the content came from.
    public var contentSources: [String]? {
        get { self["contentSources"] }
        set { self["contentSources"] = newValue }
    }
    /// Who has the rights.
    public var copyright: String? {
        get { self["copyright"] }
        set { self["copyright"] = newValue }
    }
    /// Whoever may use it, and how.
    public var rights: String? {
        get { self["rights"] }
        set { self["rights"] = newValue }
    }
    /// Its languages.
    public var languages: [String]? {
        get { self["languages"] }
        set { self["languages"] = newValue }
    }
    /// Who published it.
    public var publishers: [String]? {
        get { self["publishers"] }
        set { self["publishers"] = newValue }
    }
    /// Who had a part in it.
    public var contributors: [String]? {
        get { self["contributors"] }
        set { self["contributors"] = newValue }
    }
    /// The organisations behind it.
    public var organizations: [String]? {
        get { self["organizations"] }
        set { self["organizations"] = newValue }
    }
    /// The projects it belongs to.
    public var projects: [String]? {
        get { self["projects"] }
        set { self["projects"] = newValue }
    }
    /// Who edited it.
    public var editors: [String]? {
        get { self["editors"] }
        set { self["editors"] = newValue }
    }
    /// Who is in it.
    public var participants: [String]? {
        get { self["participants"] }
        set { self["participants"] = newValue }
    }
    /// Contacts it has to do with.
    public var contactKeywords: [String]? {
        get { self["contactKeywords"] }
        set { self["contactKeywords"] = newValue }
    }
    /// Its maker's role.
    public var role: String? {
        get { self["role"] }
        set { self["role"] = newValue }
    }
    /// What time or place it covers.
    public var coverage: String? {
        get { self["coverage"] }
        set { self["coverage"] = newValue }
    }
    /// Something to know about it.
    public var information: String? {
        get { self["information"] }
        set { self["information"] = newValue }
    }
}
