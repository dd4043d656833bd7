extension UTType {
    /// Anything.
    public static let item = UTType(importedAs: "public.item")
    /// Anything with content.
    public static let content = UTType(importedAs: "public.content")
    /// Content of several kinds.
    public static let compositeContent = UTType(importedAs: "public.composite-content")
    /// Bytes.
    public static let data = UTType(importedAs: "public.data")
    /// A folder or package.
    public static let directory = UTType(importedAs: "public.directory")
    /// A folder.
    public static let folder = UTType(importedAs: "public.folder")
    /// A volume.
    public static let volume = UTType(importedAs: "public.volume")
    /// A folder that people see as one file.
    public static let package = UTType(importedAs: "com.apple.package")
    /// A folder with a known structure.
    public static let bundle = UTType(importedAs: "com.apple.bundle")
    /// A symbolic link.
    public static let symbolicLink = UTType(importedAs: "public.symlink")
    /// What can be run.
    public static let executable = UTType(importedAs: "public.executable")
    /// An application.
    public static let application = UTType(importedAs: "com.apple.application")
    /// Text of any form.
    public static let text = UTType(importedAs: "public.text")
    /// Text without form.
    public static let plainText = UTType(importedAs: "public.plain-text")
    /// Text without form, in UTF-8.
    public static let utf8PlainText = UTType(importedAs: "public.utf8-plain-text")
    /// Text without form, in UTF-16.
    public static let utf16PlainText = UTType(importedAs: "public.utf16-plain-text")
    /// A table as text.
    public static let delimitedText = UTType(importedAs: "public.delimited-values-text")
    /// A table with commas.
    public static let commaSeparatedText = UTType(importedAs: "public.comma-separated-values-text")
    /// A table with tabs.
    public static let tabSeparatedText = UTType(importedAs: "public.tab-separated-values-text")
    /// Rich text.
    public static let rtf = UTType(importedAs: "public.rtf")
    /// Rich text with attachments.
    public static let rtfd = UTType(importedAs: "com.apple.rtfd")
    /// A web page.
    public static let html = UTType(importedAs: "public.html")
    /// XML.
    public static let xml = UTType(importedAs: "public.xml")
    /// YAML.
    public static let yaml = UTType(importedAs: "public.yaml")
    /// JSON.
    public static let json = UTType(importedAs: "public.json")
    /// A property list.
    public static let propertyList = UTType(importedAs: "com.apple.property-list")
    /// A property list as XML.
    public static let xmlPropertyList = UTType(importedAs: "com.apple.xml-property-list")
    /// A property list in its binary form.
    public static let binaryPropertyList = UTType(importedAs: "com.apple.binary-property-list")
    /// Source code.
    public static let sourceCode = UTType(importedAs: "public.source-code")
    /// Swift.
    public static let swiftSource = UTType(importedAs: "public.swift-source")
    /// A script.
    public static let script = UTType(importedAs: "public.script")
    /// A script of the shell.
    public static let shellScript = UTType(importedAs: "public.shell-script")
    /// Python.
    public static let pythonScript = UTType(importedAs: "public.python-script")
    /// JavaScript.
    public static let javaScript = UTType(importedAs: "com.netscape.javascript-source")
    /// A PDF document.
    public static let pdf = UTType(importedAs: "com.adobe.pdf")
    /// An electronic book.
    public static let epub = UTType(importedAs: "org.idpf.epub-container")
    /// A presentation.
    public static let presentation = UTType(importedAs: "public.presentation")
    /// A spreadsheet.
    public static let spreadsheet = UTType(importedAs: "public.spreadsheet")
    /// A database.
    public static let database = UTType(importedAs: "public.database")
    /// A log.
    public static let log = UTType(importedAs: "public.log")
    /// An archive.
    public static let archive = UTType(importedAs: "public.archive")
    /// A ZIP archive.
    public static let zip = UTType(importedAs: "public.zip-archive")
    /// Compressed by gzip.
    public static let gzip = UTType(importedAs: "org.gnu.gnu-zip-archive")
    /// An address of something.
    public static let url = UTType(importedAs: "public.url")
    /// The address of a file.
    public static let fileURL = UTType(importedAs: "public.file-url")
    /// A picture.
    public static let image = UTType(importedAs: "public.image")
    /// A JPEG picture.
    public static let jpeg = UTType(importedAs: "public.jpeg")
    /// A PNG picture.
    public static let png = UTType(importedAs: "public.png")
    /// A TIFF picture.
    public static let tiff = UTType(importedAs: "public.tiff")
    /// A GIF picture.
    public static let gif = UTType(importedAs: "com.compuserve.gif")
    /// A HEIC picture.
    public static let heic = UTType(importedAs: "public.heic")
    /// A HEIF picture.
    public static let heif = UTType(importedAs: "public.heif")
    /// A WebP picture.
    public static let webP = UTType(importedAs: "org.webmproject.webp")
    /// A BMP picture.
    public static let bmp = UTType(importedAs: "com.microsoft.bmp")
    /// An SVG picture.
    public static let svg = UTType(importedAs: "public.svg-image")
    /// A picture as the camera's sensor gave it.
    public static let rawImage = UTType(importedAs: "public.camera-raw-image")
    /// A picture that moves.
    public static let livePhoto = UTType(importedAs: "com.apple.live-photo")
    /// Sound or moving pictures.
    public static let audiovisualContent = UTType(importedAs: "public.audiovisual-content")
    /// Sound.
    public static let audio = UTType(importedAs: "public.audio")
    /// MP3 sound.
    public static let mp3 = UTType(importedAs: "public.mp3")
    /// WAV sound.
    public static let wav = UTType(importedAs: "com.microsoft.waveform-audio")
    /// AIFF sound.
    public static let aiff = UTType(importedAs: "public.aiff-audio")
    /// An MPEG-4 film.
    public static let mpeg4Movie = UTType(importedAs: "public.mpeg-4")
    /// MPEG-4 sound.
    public static let mpeg4Audio = UTType(importedAs: "public.mpeg-4-audio")
    /// Notes of music.
    public static let midi = UTType(importedAs: "public.midi-audio")
    /// Moving pictures with or without sound.
    public static let movie = UTType(importedAs: "public.movie")
    /// Moving pictures without sound.
    public static let video = UTType(importedAs: "public.video")
    /// A QuickTime film.
    public static let quickTimeMovie = UTType(importedAs: "com.apple.quicktime-movie")
    /// A list of what to play.
    public static let playlist = UTType(importedAs: "public.playlist")
    /// A font.
    public static let font = UTType(importedAs: "public.font")
    /// A message.
    public static let message = UTType(importedAs: "public.message")
    /// An e-mail.
    public static let emailMessage = UTType(importedAs: "public.email-message")
    /// A person.
    public static let contact = UTType(importedAs: "public.contact")
    /// A card about a person.
    public static let vCard = UTType(importedAs: "public.vcard")
    /// An entry of a calendar.
    public static let calendarEvent = UTType(importedAs: "public.calendar-event")
    /// Something to do.
    public static let toDoItem = UTType(importedAs: "public.to-do-item")
    /// A bookmark.
    public static let bookmark = UTType(importedAs: "public.bookmark")
    /// Content in three dimensions.
    public static let threeDContent = UTType(importedAs: "public.3d-content")
}
