/// The kind of content an item shows, by its uniform type identifier.
///
/// A small stand-in for the type of Apple's `UniformTypeIdentifiers`: it carries the identifier
/// and knows nothing about files or about which type conforms to which.
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identifier, such as `public.text`.
    public let identifier: String

    /// The type with this identifier; nil for an empty one.
    public init?(_ identifier: String) {
        guard !identifier.isEmpty else { return nil }
        self.identifier = identifier
    }
    /// A type that the app declares itself.
    public init(exportedAs identifier: String) { self.identifier = identifier }
    /// A type that the app uses and another one declares.
    public init(importedAs identifier: String) { self.identifier = identifier }

    public var description: String { identifier }

    /// Anything.
    public static let item = UTType(importedAs: "public.item")
    /// Anything with content.
    public static let content = UTType(importedAs: "public.content")
    /// Bytes.
    public static let data = UTType(importedAs: "public.data")
    /// Text of any form.
    public static let text = UTType(importedAs: "public.text")
    /// Text without form.
    public static let plainText = UTType(importedAs: "public.plain-text")
    /// A web page.
    public static let html = UTType(importedAs: "public.html")
    /// A PDF document.
    public static let pdf = UTType(importedAs: "com.adobe.pdf")
    /// JSON.
    public static let json = UTType(importedAs: "public.json")
    /// An address of something.
    public static let url = UTType(importedAs: "public.url")
    /// A picture.
    public static let image = UTType(importedAs: "public.image")
    /// Sound or moving pictures.
    public static let audiovisualContent = UTType(importedAs: "public.audiovisual-content")
    /// Sound.
    public static let audio = UTType(importedAs: "public.audio")
    /// Moving pictures with or without sound.
    public static let movie = UTType(importedAs: "public.movie")
    /// A folder.
    public static let folder = UTType(importedAs: "public.folder")
    /// A message.
    public static let message = UTType(importedAs: "public.message")
    /// An e-mail.
    public static let emailMessage = UTType(importedAs: "public.email-message")
    /// A person.
    public static let contact = UTType(importedAs: "public.contact")
    /// An entry of a calendar.
    public static let calendarEvent = UTType(importedAs: "public.calendar-event")
    /// Something to do.
    public static let toDoItem = UTType(importedAs: "public.to-do-item")
    /// A bookmark.
    public static let bookmark = UTType(importedAs: "public.bookmark")
}
