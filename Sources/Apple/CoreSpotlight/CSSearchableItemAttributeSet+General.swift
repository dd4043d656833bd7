public import Foundation

/// What an item is called and what it belongs to.
extension CSSearchableItemAttributeSet {
    /// What the item is called.
    public var title: String? {
        get { self["title"] }
        set { self["title"] = newValue }
    }
    /// What people see of it; used where the title is not set.
    public var displayName: String? {
        get { self["displayName"] }
        set { self["displayName"] = newValue }
    }
    /// Other names of it.
    public var alternateNames: [String]? {
        get { self["alternateNames"] }
        set { self["alternateNames"] = newValue }
    }
    /// Words a search finds it by.
    public var keywords: [String]? {
        get { self["keywords"] }
        set { self["keywords"] = newValue }
    }
    /// The file's place.
    public var path: String? {
        get { self["path"] }
        set { self["path"] = newValue }
    }
    /// The address of the content.
    public var contentURL: URL? {
        get { self["contentURL"] }
        set { self["contentURL"] = newValue }
    }
    /// The file of a small picture.
    public var thumbnailURL: URL? {
        get { self["thumbnailURL"] }
        set { self["thumbnailURL"] = newValue }
    }
    /// A small picture.
    public var thumbnailData: Data? {
        get { self["thumbnailData"] }
        set { self["thumbnailData"] = newValue }
    }
    /// The file of a small picture for dark surroundings.
    public var darkThumbnailURL: URL? {
        get { self["darkThumbnailURL"] }
        set { self["darkThumbnailURL"] = newValue }
    }
    /// The uniform type identifier of the content.
    public var contentType: String? {
        get { self["contentType"] }
        set { self["contentType"] = newValue }
    }
    /// The content's type and those it conforms to.
    public var contentTypeTree: [String]? {
        get { self["contentTypeTree"] }
        set { self["contentTypeTree"] = newValue }
    }
    /// On an activity: the item it is strongly related to. The activity is stored only while that
    /// item is indexed, and goes when the item is deleted.
    public var relatedUniqueIdentifier: String? {
        get { self["relatedUniqueIdentifier"] }
        set { self["relatedUniqueIdentifier"] = newValue }
    }
    /// On an activity: an item it has to do with. It may be indexed later, and its deletion does
    /// not delete the activity.
    public var weakRelatedUniqueIdentifier: String? {
        get { self["weakRelatedUniqueIdentifier"] }
        set { self["weakRelatedUniqueIdentifier"] = newValue }
    }
    /// On an activity: the domain by which the default index deletes it.
    public var domainIdentifier: String? {
        get { self["domainIdentifier"] }
        set { self["domainIdentifier"] = newValue }
    }
    /// When an attribute changed last.
    public var metadataModificationDate: Date? {
        get { self["metadataModificationDate"] }
        set { self["metadataModificationDate"] = newValue }
    }
    /// The content's version.
    public var version: String? {
        get { self["version"] }
        set { self["version"] = newValue }
    }
    /// Whether the person made it.
    public var userCreated: NSNumber? {
        get { number("userCreated") }
        set { setNumber("userCreated", newValue) }
    }
    /// Whether the person bought it.
    public var userOwned: NSNumber? {
        get { number("userOwned") }
        set { setNumber("userOwned", newValue) }
    }
    /// Whether the person marked it.
    public var userCurated: NSNumber? {
        get { number("userCurated") }
        set { setNumber("userCurated", newValue) }
    }
    /// How important it is among the app's items, from 0 to 100; not set counts as 0.
    public var rankingHint: NSNumber? {
        get { number("rankingHint") }
        set { setNumber("rankingHint", newValue) }
    }
    /// The title of what holds it.
    public var containerTitle: String? {
        get { self["containerTitle"] }
        set { self["containerTitle"] = newValue }
    }
    /// What people see of what holds it.
    public var containerDisplayName: String? {
        get { self["containerDisplayName"] }
        set { self["containerDisplayName"] = newValue }
    }
    /// The identifier of what holds it.
    public var containerIdentifier: String? {
        get { self["containerIdentifier"] }
        set { self["containerIdentifier"] = newValue }
    }
    /// Its place in what holds it.
    public var containerOrder: NSNumber? {
        get { number("containerOrder") }
        set { setNumber("containerOrder", newValue) }
    }
    /// Whether its first telephone number can be called.
    public var supportsPhoneCall: NSNumber? {
        get { number("supportsPhoneCall") }
        set { setNumber("supportsPhoneCall", newValue) }
    }
    /// Whether its place can be navigated to.
    public var supportsNavigation: NSNumber? {
        get { number("supportsNavigation") }
        set { setNumber("supportsNavigation", newValue) }
    }
    /// The app's actions offered with it.
    public var actionIdentifiers: [String]? {
        get { self["actionIdentifiers"] }
        set { self["actionIdentifiers"] = newValue }
    }
    /// The type of what is shared of it.
    public var sharedItemContentType: String? {
        get { self["sharedItemContentType"] }
        set { self["sharedItemContentType"] = newValue }
    }
}
