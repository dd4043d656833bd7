/// What the types of Apple's list conform to, and by what files of them are known.
struct TypeDeclaration: Sendable {
    /// The type's identifier.
    let identifier: String
    /// The types that it conforms to itself.
    let parents: [String]
    /// The ends of names of its files, the usual one first.
    let extensions: [String]
    /// Its media type; nil: it has none.
    let mimeType: String?

    private init(
        _ identifier: String, _ parents: [String] = [], _ extensions: [String] = [],
        _ mimeType: String? = nil
    ) {
        self.identifier = identifier
        self.parents = parents
        self.extensions = extensions
        self.mimeType = mimeType
    }

    /// The declarations by identifier.
    static let known: [String: TypeDeclaration] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.identifier, $0) })

    /// Every declaration; of two with one extension or media type the earlier one is taken.
    ///
    /// - SeeAlso: <https://developer.apple.com/documentation/uniformtypeidentifiers/system-declared-uniform-type-identifiers>
    static let all: [TypeDeclaration] = [
        .init("public.item"),
        .init("public.content"),
        .init("public.composite-content", ["public.content"]),
        .init("public.data", ["public.item"]),
        .init("public.directory", ["public.item"]),
        .init("public.folder", ["public.directory"]),
        .init("public.volume", ["public.folder"]),
        .init("com.apple.package", ["public.directory"]),
        .init("com.apple.bundle", ["public.directory"]),
        .init("public.symlink", ["public.item"]),
        .init("public.executable", ["public.item"]),
        .init("com.apple.application", ["public.executable"]),
        .init("public.text", ["public.data", "public.content"]),
        .init("public.plain-text", ["public.text"], ["txt", "text"], "text/plain"),
        .init("public.utf8-plain-text", ["public.plain-text"]),
        .init("public.utf16-plain-text", ["public.plain-text"]),
        .init("public.delimited-values-text", ["public.text"]),
        .init(
            "public.comma-separated-values-text", ["public.delimited-values-text"], ["csv"],
            "text/csv"),
        .init(
            "public.tab-separated-values-text", ["public.delimited-values-text"], ["tsv"],
            "text/tab-separated-values"),
        .init("public.rtf", ["public.text"], ["rtf"], "text/rtf"),
        .init("com.apple.rtfd", ["com.apple.package", "public.composite-content"], ["rtfd"]),
        .init("public.html", ["public.text"], ["html", "htm"], "text/html"),
        .init("public.xml", ["public.text"], ["xml"], "application/xml"),
        .init("public.yaml", ["public.text"], ["yml", "yaml"], "application/x-yaml"),
        .init("net.daringfireball.markdown", ["public.text"], ["md", "markdown"], "text/markdown"),
        .init("public.json", ["public.text"], ["json"], "application/json"),
        .init("com.apple.property-list", ["public.data"], ["plist"]),
        .init("com.apple.xml-property-list", ["public.xml", "com.apple.property-list"]),
        .init("com.apple.binary-property-list", ["com.apple.property-list"]),
        .init("public.source-code", ["public.plain-text"]),
        .init("public.swift-source", ["public.source-code"], ["swift"]),
        .init("public.script", ["public.source-code"]),
        .init("public.shell-script", ["public.script"], ["sh"]),
        .init("public.python-script", ["public.script"], ["py"], "text/x-python-script"),
        .init(
            "com.netscape.javascript-source", ["public.source-code", "public.executable"],
            ["js", "mjs"], "text/javascript"),
        .init(
            "com.adobe.pdf", ["public.data", "public.composite-content"], ["pdf"], "application/pdf"
        ),
        .init(
            "org.idpf.epub-container", ["public.data", "public.composite-content"], ["epub"],
            "application/epub+zip"),
        .init("public.presentation", ["public.composite-content"]),
        .init("public.spreadsheet", ["public.content"]),
        .init("public.database", ["public.data"]),
        .init("public.log", ["public.data"], ["log"]),
        .init("public.archive", ["public.data"]),
        .init("public.zip-archive", ["public.archive"], ["zip"], "application/zip"),
        .init(
            "org.gnu.gnu-zip-archive", ["public.data", "public.archive"], ["gz", "gzip"],
            "application/gzip"),
        .init("public.url", ["public.data"]),
        .init("public.file-url", ["public.url"]),
        .init("public.image", ["public.data", "public.content"]),
        .init("public.jpeg", ["public.image"], ["jpeg", "jpg", "jpe"], "image/jpeg"),
        .init("public.png", ["public.image"], ["png"], "image/png"),
        .init("public.tiff", ["public.image"], ["tiff", "tif"], "image/tiff"),
        .init("com.compuserve.gif", ["public.image"], ["gif"], "image/gif"),
        .init("public.heic", ["public.heif"], ["heic"], "image/heic"),
        .init("public.heif", ["public.image"], ["heif"], "image/heif"),
        .init("org.webmproject.webp", ["public.image"], ["webp"], "image/webp"),
        .init("com.microsoft.bmp", ["public.image"], ["bmp"], "image/bmp"),
        .init("public.svg-image", ["public.image", "public.xml"], ["svg"], "image/svg+xml"),
        .init("public.camera-raw-image", ["public.image"]),
        .init("com.apple.live-photo"),
        .init("public.audiovisual-content", ["public.data", "public.content"]),
        .init("public.audio", ["public.audiovisual-content"]),
        .init("public.mp3", ["public.audio"], ["mp3"], "audio/mpeg"),
        .init("com.microsoft.waveform-audio", ["public.audio"], ["wav", "wave"], "audio/vnd.wave"),
        .init("public.aiff-audio", ["public.audio"], ["aiff", "aif"], "audio/aiff"),
        .init("public.mpeg-4", ["public.movie"], ["mp4"], "video/mp4"),
        .init(
            "public.mpeg-4-audio", ["public.mpeg-4", "public.audio"], ["mp4", "m4a"], "audio/mp4"),
        .init("public.midi-audio", ["public.audio"], ["mid", "midi"], "audio/midi"),
        .init("public.movie", ["public.audiovisual-content"]),
        .init("public.video", ["public.movie"]),
        .init("com.apple.quicktime-movie", ["public.movie"], ["mov", "qt"], "video/quicktime"),
        .init("public.playlist"),
        .init("public.font"),
        .init("public.message"),
        .init("public.email-message", ["public.message"], ["eml"], "message/rfc822"),
        .init("public.contact"),
        .init("public.vcard", ["public.text", "public.contact"], ["vcf", "vcard"], "text/vcard"),
        .init("public.calendar-event"),
        .init("public.to-do-item"),
        .init("public.bookmark"),
        .init("public.3d-content", ["public.content"]),
    ]
}
