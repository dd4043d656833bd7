import Basics
import CloudModel
import DeletionPlanning
import JSON

/// The keys of one object, each to be taken once.
struct PlanFields {
    let line: Int
    private var left: [String: JSONMember] = [:]
    private let whole: JSONValue
    /// What was taken last, or the object: an error is about it.
    private var latest: JSONValue

    init(_ value: JSONValue, line: Int) throws(PlanFileError) {
        self.line = line
        whole = value
        latest = value
        guard value.kind == .object else { throw error("the line is not a JSON object") }
        for member in value.members {
            guard left.updateValue(member, forKey: member.key) == nil else {
                throw error("the line has a repeated key", at: member.keyLocation)
            }
        }
    }

    /// - Parameter location: Where; nil: where the value taken last begins.
    func error(_ reason: String, at location: JSONLocation? = nil) -> PlanFileError {
        let column = (location ?? latest.location).column
        return PlanFileError(line: line, column: column, reason: reason)
    }

    func has(_ key: String) -> Bool { left[key] != nil }

    /// Checks that no key is left over.
    func finish() throws(PlanFileError) {
        guard let first = left.values.map(\.keyLocation).min(by: { $0.offset < $1.offset })
        else { return }
        throw error("the line has an unknown key", at: first)
    }

    private mutating func take(_ key: String) throws(PlanFileError) -> JSONValue {
        guard let member = left.removeValue(forKey: key) else {
            throw error("the line lacks \"\(key)\"", at: whole.location)
        }
        latest = member.value
        return member.value
    }

    mutating func string(_ key: String) throws(PlanFileError) -> String {
        guard let text = try take(key).string else { throw error("\"\(key)\" must be a string") }
        return text
    }

    mutating func flag(_ key: String) throws(PlanFileError) -> Bool {
        guard let flag = try take(key).bool else { throw error("\"\(key)\" must be true or false") }
        return flag
    }

    /// Bytes of a zone's name, a line break and its owner's record name.
    static let zoneUnitsMax = 511

    /// A name as the framework allows: 1 to 255 UTF-16 units.
    mutating func name(
        _ key: String, unitsMax: Int = 255
    ) throws(PlanFileError) -> String {
        let text = try string(key)
        guard (1...unitsMax).contains(text.utf16.count) else {
            throw error("\"\(key)\" must have 1 to \(unitsMax) characters")
        }
        return text
    }

    /// A zone of a database.
    mutating func zone(
        _ key: String, in scope: Database.Scope
    ) throws(PlanFileError) -> RecordZone.ID {
        let zone = RecordZone.ID(qualifiedName: try name(key, unitsMax: Self.zoneUnitsMax))
        try check(zone, in: scope)
        return zone
    }

    /// Custom zones to be deleted or left as a whole.
    mutating func customZones(
        _ key: String, in scope: Database.Scope
    ) throws(PlanFileError) -> [RecordZone.ID] {
        let zones = try names(key, unitsMax: Self.zoneUnitsMax).map {
            RecordZone.ID(qualifiedName: $0)
        }
        for zone in zones {
            try check(zone, in: scope)
            guard !zone.zoneName.hasPrefix("_") else {
                throw error("the line names a zone that is not one of the user's own")
            }
        }
        return zones
    }

    /// A zone has an owner in the shared database, and only there.
    private func check(
        _ zone: RecordZone.ID, in scope: Database.Scope
    ) throws(PlanFileError) {
        let hasOwner = zone.ownerRecordName?.isEmpty == false
        guard !zone.zoneName.isEmpty, zone.ownerRecordName == nil || hasOwner,
            hasOwner == (scope == .shared)
        else { throw error("the line names a zone that is not in that database") }
    }

    mutating func names(
        _ key: String, unitsMax: Int = 255
    ) throws(PlanFileError) -> [String] {
        let elements = try array(key)
        guard (1...DeletionStep.itemsMax).contains(elements.count) else {
            throw error("\"\(key)\" must contain 1 to \(DeletionStep.itemsMax) names")
        }
        var names: [String] = []
        var seen: Set<String> = []
        for element in elements {
            guard let name = element.string, (1...unitsMax).contains(name.utf16.count),
                seen.insert(name).inserted
            else { throw error("\"\(key)\" contains something other than a name, or a name twice") }
            names.append(name)
        }
        return names
    }

    mutating func integer(_ key: String) throws(PlanFileError) -> Int64 {
        guard let number = try take(key).int64 else { throw error("\"\(key)\" must be an integer") }
        return number
    }

    mutating func count(_ key: String) throws(PlanFileError) -> Int {
        let number = try integer(key)
        guard (0...1_000_000_000_000).contains(number) else {
            throw error("\"\(key)\" must be a count")
        }
        return Int(number)
    }

    mutating func timestamp(_ key: String) throws(PlanFileError) -> Timestamp {
        let number = try integer(key)
        // Up to the year 9999, so that arithmetic with it cannot overflow.
        guard (0...Timestamp.last.milliseconds).contains(number) else {
            throw error("\"\(key)\" must be a time in milliseconds since 1970")
        }
        return Timestamp(milliseconds: number)
    }

    mutating func array(_ key: String) throws(PlanFileError) -> [JSONValue] {
        let value = try take(key)
        guard value.kind == .array else { throw error("\"\(key)\" must be an array") }
        guard value.count <= 100_000 else { throw error("\"\(key)\" is too long") }
        return Array(value.elements)
    }

    mutating func container(_ key: String) throws(PlanFileError) -> Container.ID {
        guard let id = Container.ID(try string(key)) else {
            throw error("\"\(key)\" is not a container identifier")
        }
        return id
    }

    mutating func scope(_ key: String) throws(PlanFileError) -> Database.Scope {
        guard let scope = Database.Scope(rawValue: try string(key)) else {
            throw error("\"\(key)\" is not a database")
        }
        return scope
    }
}
