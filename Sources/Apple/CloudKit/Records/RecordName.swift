import CloudModel

/// The rules for a record's name, and for a zone's.
enum RecordName {
    /// UTF-16 units of a name, as natively.
    static let unitsMax = 255

    /// Why no record can have a name; nil: one can.
    static func problem(in name: String) -> String? {
        if name.isEmpty { return "is empty" }
        let count = name.utf16.count
        return count > unitsMax
            ? "has \(count) UTF-16 units; the maximum is \(unitsMax)" : nil
    }

    /// Why an app cannot make a record with a name; nil: it can.
    ///
    /// Names that begin with `_` are the service's own, such as the user's.
    static func problem(inNew name: String) -> String? {
        problem(in: name) ?? (name.hasPrefix("_") ? "begins with \"_\"" : nil)
    }
}

extension CKRecord.ID {
    /// Why no record can have the ID; nil: one can.
    var problem: String? {
        RecordName.problem(in: recordName).map { "its name \($0)" }
            ?? RecordName.problem(in: zoneID.zoneName).map { "the name of its zone \($0)" }
    }
}

extension RecordContents {
    /// - Throws: `invalidArguments` for a record that cannot have its name.
    func checkName() throws(CKError) {
        let name = recordID.recordName
        let isKnown = changeTag != nil || recordType == CKRecord.SystemType.userRecord
        let problem =
            recordID.problem
            ?? (isKnown ? nil : RecordName.problem(inNew: name).map { "its name \($0)" })
        if let problem { throw CKError(badName: problem, "the record was not saved:") }
    }
}

extension RecordOperation {
    /// - Throws: `invalidArguments` for a link to a record that there cannot be.
    func checkLinks() throws(CKError) {
        if let parent, let problem = RecordName.problem(in: parent.recordName) {
            throw CKError(badName: problem, "the record was not saved: the name of its parent")
        }
        for (key, field) in fields {
            guard let value = field?.value else { continue }
            for link in value.links {
                guard let problem = RecordName.problem(in: link.recordName) else { continue }
                throw CKError(
                    badName: problem,
                    "the record was not saved: the name of a record in the field \"\(key)\"")
            }
        }
    }
}

extension FieldValue {
    fileprivate var links: [Record.Reference] {
        switch self {
        case .reference(let target): [target]
        case .list(_, let elements): elements.flatMap(\.links)
        case .string, .int64, .double, .bytes, .timestamp, .location, .asset: []
        }
    }
}

extension CKError {
    /// - Parameter what: What failed, and whose name is the cause.
    init(badName problem: String, _ what: String) {
        self.init(
            .invalidArguments,
            "\(what) \(problem). Use 1 to \(RecordName.unitsMax) characters, the first not \"_\"")
    }
}
