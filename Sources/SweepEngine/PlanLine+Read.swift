import CloudModel
import DeletionPlanning
import JSON

/// What is wrong with a plan file, and where.
package struct PlanFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Counts from 1; 0 when it is about the whole file.
    package let line: Int
    /// Counts from 1.
    package let column: Int
    package let reason: String
    /// Whether the file was whole once and was changed since.
    package let isTampering: Bool

    init(line: Int, column: Int = 1, reason: String, isTampering: Bool = false) {
        self.line = line
        self.column = column
        self.reason = reason
        self.isTampering = isTampering
    }

    /// What is wrong with the file of that name: `app.plan:3:17: …`.
    package func text(file: String) -> String {
        let place = line > 0 ? ":\(line):\(column)" : ""
        return "\(file)\(place): this is no whole plan of cksweep: \(reason)"
    }

    package var description: String {
        line > 0 ? "line \(line), column \(column): \(reason)" : reason
    }
}

extension PlanLine {
    /// Reads one line. Strict: every key must be known, there once, and of its type.
    package init(_ bytes: [UInt8], line: Int) throws(PlanFileError) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument.parse(
                bytes, limits: JSONLimits(bytesMax: PlanReader.lineBytesMax, depthMax: 4))
        } catch {
            throw PlanFileError(line: line, column: error.column, reason: error.reason)
        }
        var fields = try PlanFields(document.root, line: line)
        if fields.has("format") {
            self = .header(try Self.header(&fields))
        } else if fields.has("delete") {
            self = .item(.step(try Self.step(&fields)), reason: nil)
        } else if fields.has("keep") {
            let (item, reason) = try Self.kept(&fields)
            self = .item(.kept(item), reason: reason)
        } else if fields.has("digest") {
            self = try Self.footer(&fields)
        } else {
            throw fields.error("the line is none of a header, a step, a kept item and a footer")
        }
        try fields.finish()
    }

    private static func header(_ fields: inout PlanFields) throws(PlanFileError) -> PlanHeader {
        guard try fields.string("format") == format else {
            throw fields.error("the line is no plan")
        }
        let found = try fields.integer("version")
        guard found == version else {
            throw fields.error("the line has version \(found), which this tool does not know")
        }
        var subjects: [PlanFacts.Subject] = []
        for element in try fields.array("containers") {
            var inner = try PlanFields(element, line: fields.line)
            subjects.append(
                PlanFacts.Subject(
                    container: try inner.container("identifier"),
                    userPseudonym: try inner.string("user")))
            try inner.finish()
        }
        var scopes: [Database.Scope] = []
        for element in try fields.array("databases") {
            guard let scope = element.string.flatMap(Database.Scope.init(rawValue:)) else {
                throw fields.error("\"databases\" holds something else than a database")
            }
            scopes.append(scope)
        }
        guard !subjects.isEmpty, Set(subjects.map(\.container)).count == subjects.count else {
            throw fields.error("the line names no container, or one twice")
        }
        guard !scopes.isEmpty, Set(scopes).count == scopes.count else {
            throw fields.error("the line names no database, or one twice")
        }
        guard
            let environment = Container.Environment(rawValue: try fields.string("environment"))
        else { throw fields.error("the line names no environment that exists") }
        return PlanHeader(
            toolVersion: try fields.string("tool"), environment: environment, subjects: subjects,
            scopes: scopes, created: try fields.timestamp("created"),
            expires: try fields.timestamp("expires"), nonce: try fields.string("nonce"))
    }

    private static func step(_ fields: inout PlanFields) throws(PlanFileError) -> DeletionStep {
        let container = try fields.container("container")
        let scope = try fields.scope("database")
        let work: DeletionStep.Work
        switch try fields.string("delete") {
        case "zones":
            let names = try fields.names("names")
            guard !names.contains(where: { $0.hasPrefix("_") }) else {
                throw fields.error("the line names a zone that is none of the user's own")
            }
            work = .zones(names.map { RecordZone.ID($0) })
        case "defaultZone": work = .defaultZone
        case "records":
            work = .records(
                zone: RecordZone.ID(try fields.name("zone")), type: try fields.name("type"),
                names: try fields.names("names"))
        case "subscriptions": work = .subscriptions(try fields.names("names"))
        case "userRecord": work = .userRecord
        default: throw fields.error("\"delete\" is nothing that can be deleted")
        }
        return DeletionStep(container: container, scope: scope, work: work)
    }

    private static func kept(
        _ fields: inout PlanFields
    ) throws(PlanFileError) -> (KeptItem, String?) {
        let because: KeptItem.Because
        switch try fields.string("because") {
        case "rule":
            let rule = try fields.integer("rule")
            guard (0..<1_000_000).contains(rule) else { throw fields.error("\"rule\" is no rule") }
            because = .rule(Int(rule))
        case "holdsKept": because = .holdsKept
        case "notLookedInto": because = .notLookedInto
        default: throw fields.error("\"because\" is no reason")
        }
        let what: KeptItem.What
        switch try fields.string("keep") {
        case "zone": what = .zone(RecordZone.ID(try fields.name("name")))
        case "defaultZone": what = .defaultZone
        case "record":
            what = .record(
                zone: RecordZone.ID(try fields.name("zone")), type: try fields.name("type"),
                name: try fields.name("name"))
        case "subscription": what = .subscription(try fields.name("name"))
        case "userRecord": what = .userRecord
        default: throw fields.error("\"keep\" is nothing that can be kept")
        }
        let reason = fields.has("reason") ? try fields.string("reason") : nil
        let item = KeptItem(
            container: try fields.container("container"), scope: try fields.scope("database"),
            what: what, because: because)
        return (item, reason)
    }

    private static func footer(_ fields: inout PlanFields) throws(PlanFileError) -> PlanLine {
        var totals = PlanTotals()
        totals.steps = try fields.count("steps")
        totals.zones = try fields.count("zones")
        totals.defaultZones = try fields.count("defaultZones")
        totals.records = try fields.count("records")
        totals.subscriptions = try fields.count("subscriptions")
        totals.userRecords = try fields.count("userRecords")
        totals.kept = try fields.count("kept")
        return .footer(totals: totals, digest: try fields.string("digest"))
    }
}

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
        guard value.kind == .object else { throw error("the line is no JSON object") }
        for member in value.members {
            guard left.updateValue(member, forKey: member.key) == nil else {
                throw error("the line has a key twice", at: member.keyLocation)
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
        throw error("the line has a key that does not belong there", at: first)
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

    /// A name as the service allows: 1 to 255 characters.
    mutating func name(_ key: String) throws(PlanFileError) -> String {
        let text = try string(key)
        guard (1...255).contains(text.utf8.count) else {
            throw error("\"\(key)\" must have 1 to 255 characters")
        }
        return text
    }

    mutating func names(_ key: String) throws(PlanFileError) -> [String] {
        let elements = try array(key)
        guard (1...DeletionStep.itemsMax).contains(elements.count) else {
            throw error("\"\(key)\" must hold 1 to \(DeletionStep.itemsMax) names")
        }
        var names: [String] = []
        var seen: Set<String> = []
        for element in elements {
            guard let name = element.string, (1...255).contains(name.utf8.count),
                seen.insert(name).inserted
            else { throw error("\"\(key)\" holds something else than a name, or one twice") }
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
        guard (0...253_402_300_799_999).contains(number) else {
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
            throw error("\"\(key)\" is no container identifier")
        }
        return id
    }

    mutating func scope(_ key: String) throws(PlanFileError) -> Database.Scope {
        guard let scope = Database.Scope(rawValue: try string(key)) else {
            throw error("\"\(key)\" is no database")
        }
        return scope
    }
}
