internal import CloudModel
internal import JSON

extension RecordZone.ID {
    /// Reads a zone ID; without a zone name it is the default zone's.
    init(_ value: JSONValue) throws(ShapeError) {
        try self.init(named: (try value.object()).text("zoneName") ?? "_defaultZone", value)
    }

    /// Reads a zone ID that must name its zone.
    init(naming value: JSONValue) throws(ShapeError) {
        let object = try value.object()
        guard let name = try object.filledText("zoneName") else {
            throw .missing("zoneName", in: object)
        }
        try self.init(named: name, object)
    }

    private init(named zoneName: String, _ value: JSONValue) throws(ShapeError) {
        // MistKit spells the key `ownerName`.
        let spelling = value.optional("ownerRecordName") == nil ? "ownerName" : "ownerRecordName"
        let owner = try value.text(spelling)
        let isCaller = owner.map(Self.callerPlaceholders.contains) ?? true
        self.init(
            zoneName.isEmpty ? "_defaultZone" : zoneName, ownerRecordName: isCaller ? nil : owner)
    }
}
