import Basics

extension ExportWriter {
    /// One row as an object; what "donate" reads.
    package mutating func row(_ row: Donation) {
        open("{")
        field("kind", row.kind.rawValue)
        field("type", row.type)
        if !row.identifier.isEmpty { field("identifier", row.identifier) }
        field("group", row.group)
        field("persistentIdentifier", row.persistentIdentifier)
        field("relatedIdentifier", row.relatedIdentifier)
        field("weakRelatedIdentifier", row.weakRelatedIdentifier)
        field("domain", row.domain)
        field("index", row.indexName)
        field("protectionClass", row.protectionClass)
        if row.isFromSiri {
            key("fromSiri")
            literal("true")
        }
        field("eligible", Self.names(of: row.eligibility))
        moment("begin", row.begin)
        if row.end != row.begin { moment("end", row.end) }
        if row.donatedAt != row.begin { moment("donatedAt", row.donatedAt) }
        if let expiration = row.expiration { moment("expires", expiration) }
        field("title", row.title)
        field("displayName", row.displayName)
        field("keywords", row.keywords)
        field("description", row.description)
        field("phrase", row.suggestedInvocationPhrase)
        field("webpageURL", row.webpageURL)
        field("target", row.targetContentIdentifier)
        field("entityType", row.entityType)
        field("entityIdentifier", row.entityIdentifier)
        details(row)
        close("}")
    }

    private mutating func details(_ row: Donation) {
        if !row.numbers.isEmpty {
            key("numbers")
            open("{")
            for (name, number) in row.numbers.sorted(by: { $0.key < $1.key }) {
                key(name)
                literal(String(number))
            }
            close("}")
        }
        field("mentions", row.mentions)
        field("action", row.actionID)
        if let link = row.link {
            key("link")
            open("{")
            field("container", link.container)
            field("scope", link.scope)
            field("zone", link.zone)
            field("zoneOwner", link.zoneOwner)
            field("record", link.record)
            close("}")
        }
        canonical("payload", row.payload)
        canonical("prediction", row.predictionKey ?? [])
        if let nested = row.nestedActivity {
            key("nestedActivity")
            open("{")
            field("type", nested.activityType)
            field("persistentIdentifier", nested.persistentIdentifier)
            canonical("payload", nested.payload)
            close("}")
        }
        guard !row.images.isEmpty else { return }
        key("images")
        open("[")
        for image in row.images {
            open("{")
            field("parameter", image.parameter)
            if !image.bytes.isEmpty { field("bytes", Base64.encode(image.bytes)) }
            close("}")
        }
        close("]")
    }

    /// One entry of a plain list as an object.
    package mutating func entry(_ entry: ListEntry, kind: DonationKind, part: String = "") {
        open("{")
        field("kind", kind.rawValue)
        if !part.isEmpty { field("part", part) }
        field("identifier", entry.identifier)
        field("title", entry.title)
        field("phrase", entry.suggestedInvocationPhrase)
        field("mentions", entry.mentions)
        canonical("payload", entry.payload)
        close("}")
    }

    /// Canonical bytes as the value they are; bytes that are none as they stand.
    private mutating func canonical(_ name: String, _ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        key(name)
        payload((try? PayloadValue(decoding: bytes)) ?? .data(bytes))
    }

    /// Milliseconds since 1970, so that nothing is rounded.
    private mutating func moment(_ name: String, _ moment: Timestamp) {
        key(name)
        literal(String(moment.milliseconds))
    }

    /// The words for what may be done with a row.
    package static func names(of eligibility: Donation.Eligibility) -> [String] {
        eligibilities.filter { eligibility.contains($0.value) }.map { $0.name }
    }

    /// Each word and its meaning, in the order in which they are written.
    package static let eligibilities: [(name: String, value: Donation.Eligibility)] = [
        ("handoff", .handoff), ("search", .search), ("publicIndexing", .publicIndexing),
        ("prediction", .prediction),
    ]
}

// The document around the rows
extension ExportWriter {
    /// Begins the document.
    package mutating func head(application: String) {
        raw("{\n\"version\":1,\n\"application\":")
        string(application)
        raw(",\n\"donations\":[")
        isFirst = true
    }

    /// A row on a line of its own.
    package mutating func line(_ row: Donation) {
        nextLine()
        self.row(row)
    }

    /// An entry of a plain list on a line of its own.
    package mutating func line(_ entry: ListEntry, kind: DonationKind) {
        nextLine()
        self.entry(entry, kind: kind)
    }

    /// Ends the rows and begins the lists.
    package mutating func lists() {
        raw("\n],\n\"lists\":[")
        isFirst = true
    }

    /// Ends the document.
    package mutating func tail() { raw("\n]\n}\n") }

    private mutating func nextLine() {
        raw(isFirst ? "\n" : ",\n")
        isFirst = false
    }
}
