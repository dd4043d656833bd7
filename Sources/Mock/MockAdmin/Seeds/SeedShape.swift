package import CloudModel
import MockFaults

/// What one app keeps in one container: names of zones and the types in them.
package struct SeedShape: Sendable {
    /// A type and its fields.
    package struct RecordShape: Sendable {
        package let type: String
        package let fields: [(name: String, kind: FieldShape)]
    }

    /// How a field's values look.
    package enum FieldShape: Sendable {
        case word
        case sentence
        case odd
        case integer(ClosedRange<Int64>)
        case real
        case flag
        case moment
        case place
        case tags
        case blob(Int)
        /// To a record made earlier in the same zone, where there is one.
        case earlier(Record.Reference.Action)
        /// A list of one to three of them.
        indirect case several(FieldShape)
        /// The size of a file in every fifth record, in bytes.
        case file(Int)
    }

    /// The first zones; more are numbered.
    package let zoneNames: [String]
    package let zoneTypes: [RecordShape]
    package let defaultTypes: [RecordShape]
    package let publicTypes: [RecordShape]

    /// The shape for a container: by the end of its name, else that of the main container.
    package static func shape(for container: Container.ID, profile: SeedProfile) -> SeedShape {
        if container.rawValue.hasSuffix(".documents") { return documents }
        if container.rawValue.hasSuffix(".settings") { return settings }
        switch profile {
        case .photos: return photos
        case .everything: return everything
        case .notes, .wide, .tiny: return main
        }
    }

    /// The zone of this number.
    package func zoneName(_ number: Int) -> String {
        if number < zoneNames.count { return zoneNames[number] }
        let digits = "\(number)"
        return "Zone-" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    }

    private static let article = RecordShape(
        type: "Article",
        fields: [
            ("title", .sentence), ("body", .odd), ("published", .moment),
            ("likes", .integer(0...999)),
        ])
    private static let main = SeedShape(
        zoneNames: [
            "Notes", "Ideas & drafts (2024)", "archive", String(repeating: "long-", count: 51),
        ],
        zoneTypes: [
            RecordShape(
                type: "Folder", fields: [("name", .word), ("position", .integer(0...50))]),
            RecordShape(
                type: "Note",
                fields: [
                    ("title", .sentence), ("body", .odd), ("tags", .tags), ("pinned", .flag),
                    ("edited", .moment), ("folder", .earlier(.deleteSelf)),
                ]),
        ],
        defaultTypes: [
            RecordShape(type: "Profile", fields: [("nickname", .odd), ("joined", .moment)]),
            RecordShape(
                type: "Bookmark",
                fields: [("title", .sentence), ("position", .integer(0...1000))]),
            RecordShape(
                type: "Visit", fields: [("place", .place), ("when", .moment), ("rating", .real)]),
        ],
        publicTypes: [article])
    private static let documents = SeedShape(
        zoneNames: ["Documents", "Shared drafts", "Trash"],
        zoneTypes: [
            RecordShape(
                type: "Document",
                fields: [("title", .sentence), ("pages", .integer(1...400)), ("edited", .moment)]),
            RecordShape(
                type: "Page",
                fields: [
                    ("text", .odd), ("number", .integer(1...400)), ("thumbnail", .blob(96)),
                    ("document", .earlier(.deleteSelf)),
                ]),
        ],
        defaultTypes: [
            RecordShape(type: "RecentItem", fields: [("title", .sentence), ("opened", .moment)]),
            RecordShape(type: "Template", fields: [("name", .word), ("body", .odd)]),
        ],
        publicTypes: [RecordShape(type: "Template", fields: [("name", .word), ("body", .odd)])])
    private static let settings = SeedShape(
        zoneNames: ["Settings", "Devices"],
        zoneTypes: [
            RecordShape(type: "Setting", fields: [("key", .word), ("value", .odd)]),
            RecordShape(
                type: "Device",
                fields: [("name", .odd), ("lastSeen", .moment), ("battery", .real)]),
        ],
        defaultTypes: [
            RecordShape(type: "Preference", fields: [("key", .word), ("value", .odd)])
        ],
        publicTypes: [])
    private static let everything = SeedShape(
        zoneNames: ["Everything", "Everything else"],
        zoneTypes: [
            RecordShape(
                type: "Folder", fields: [("name", .word), ("position", .integer(0...50))]),
            RecordShape(
                type: "Thing",
                fields: [
                    ("string", .odd), ("int64", .integer(.min / 4 ... .max / 4)),
                    ("double", .real), ("bytes", .blob(48)), ("timestamp", .moment),
                    ("location", .place), ("reference", .earlier(.deleteSelf)),
                    ("asset", .file(300)), ("strings", .several(.odd)),
                    ("int64s", .several(.integer(0...9))), ("doubles", .several(.real)),
                    ("bytesList", .several(.blob(8))), ("timestamps", .several(.moment)),
                    ("locations", .several(.place)), ("references", .several(.earlier(.none))),
                    ("assets", .several(.file(20))),
                ]),
        ],
        defaultTypes: [
            RecordShape(type: "Profile", fields: [("nickname", .odd), ("joined", .moment)])
        ],
        publicTypes: [article])
    private static let photos = SeedShape(
        zoneNames: ["Library", "Shared Album", "Imports 2019-2024"],
        zoneTypes: [
            RecordShape(
                type: "Album", fields: [("name", .odd), ("created", .moment)]),
            RecordShape(
                type: "Photo",
                fields: [
                    ("taken", .moment), ("place", .place), ("preview", .blob(400)),
                    ("width", .integer(640...8064)), ("height", .integer(480...6048)),
                    ("favourite", .flag), ("people", .tags), ("album", .earlier(.none)),
                ]),
        ],
        defaultTypes: [
            RecordShape(type: "Person", fields: [("name", .odd), ("photos", .integer(0...9000))])
        ],
        publicTypes: [article])
}

/// What kind of account a generated seed makes.
package enum SeedProfile: String, Sendable, CaseIterable {
    /// Folders and notes, some zones, references that delete themselves.
    case notes
    /// Many larger records in few zones.
    case photos
    /// Many zones with nothing in them, unless asked for.
    case wide
    /// One zone and a handful of records.
    case tiny
    /// Fields of every type, lists and files among them.
    case everything

    /// What it makes, in a few words.
    package var about: String {
        switch self {
        case .notes: "folders and notes in a few zones"
        case .photos: "many larger records in few zones"
        case .wide: "many empty zones"
        case .tiny: "one zone with a handful of records"
        case .everything: "fields of every type, lists and files among them"
        }
    }

    /// Whether its records have files, which only requests can bring.
    var hasFiles: Bool { self == .everything }

    /// Custom zones for each user and container, unless asked for otherwise.
    package var zones: Int {
        switch self {
        case .notes: 3
        case .photos: 2
        case .wide: 1000
        case .tiny: 1
        case .everything: 2
        }
    }

    /// Records in each zone, unless asked for otherwise.
    package var records: Int {
        switch self {
        case .notes: 20
        case .photos: 500
        case .wide: 0
        case .tiny: 3
        case .everything: 50
        }
    }
}
