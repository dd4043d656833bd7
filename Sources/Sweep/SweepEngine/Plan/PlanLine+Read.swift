import Basics
import CloudModel
import DeletionPlanning
import JSON

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
        } else if fields.has("unproven") {
            self = .item(.unproven(try Self.unproven(&fields)), reason: nil)
        } else {
            throw fields.error("the line is not a header, a step, a kept item or a footer")
        }
        try fields.finish()
    }

    private static func header(_ fields: inout PlanFields) throws(PlanFileError) -> PlanHeader {
        guard try fields.string("format") == format else {
            throw fields.error("the line is not part of a plan")
        }
        let found = try fields.integer("version")
        guard found == version else {
            throw fields.error("the line has version \(found), which this tool does not support")
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
                throw fields.error("\"databases\" contains something other than a database")
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
        else { throw fields.error("the line names an unknown environment") }
        let export = fields.has("export") ? try fields.string("export") : nil
        return PlanHeader(
            toolVersion: try fields.string("tool"), environment: environment,
            server: ServerFacts(
                url: try fields.string("server"), isRehearsal: try fields.flag("rehearsal")),
            subjects: subjects, scopes: scopes, created: try fields.timestamp("created"),
            expires: try fields.timestamp("expires"), nonce: try fields.string("nonce"),
            conditions: try conditions(&fields), export: export)
    }

    private static func conditions(
        _ fields: inout PlanFields
    ) throws(PlanFileError) -> PlanConditions {
        var conditions = PlanConditions()
        if fields.has("notBefore") { conditions.notBefore = try fields.timestamp("notBefore") }
        if fields.has("received") || fields.has("regime") {
            guard let day = CivilDate(iso8601: try fields.string("received")) else {
                throw fields.error("\"received\" is not a date")
            }
            guard let regime = Regime(rawValue: try fields.string("regime")) else {
                throw fields.error("\"regime\" is not a known law")
            }
            conditions.request = ErasureRequest(receivedOn: day, regime: regime)
        }
        return conditions
    }

    private static func step(_ fields: inout PlanFields) throws(PlanFileError) -> DeletionStep {
        let container = try fields.container("container")
        let scope = try fields.scope("database")
        let work: DeletionStep.Work
        switch try fields.string("delete") {
        case "zones":
            work = .zones(try fields.customZones("names", in: scope))
        case "defaultZone": work = .defaultZone
        case "records":
            work = .records(
                zone: try fields.zone("zone", in: scope), type: try fields.name("type"),
                names: try fields.names("names"))
        case "subscriptions": work = .subscriptions(try fields.names("names"))
        case "userRecord": work = .userRecord
        default: throw fields.error("\"delete\" names nothing that can be deleted")
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
            guard (0..<1_000_000).contains(rule) else {
                throw fields.error(
                    "\"rule\" is not a rule")
            }
            because = .rule(Int(rule))
        case "holdsKept": because = .holdsKept
        case "staysWithOwner": because = .staysWithOwner
        case "notLookedInto": because = .notLookedInto
        default: throw fields.error("\"because\" is not a reason")
        }
        let scope = try fields.scope("database")
        let what: KeptItem.What
        switch try fields.string("keep") {
        case "zone": what = .zone(try fields.zone("name", in: scope))
        case "defaultZone": what = .defaultZone
        case "record":
            what = .record(
                zone: try fields.zone("zone", in: scope), type: try fields.name("type"),
                name: try fields.name("name"))
        case "subscription": what = .subscription(try fields.name("name"))
        case "userRecord": what = .userRecord
        default: throw fields.error("\"keep\" names nothing that can be kept")
        }
        let reason = fields.has("reason") ? try fields.string("reason") : nil
        let item = KeptItem(
            container: try fields.container("container"), scope: scope, what: what,
            because: because)
        return (item, reason)
    }

    private static func unproven(
        _ fields: inout PlanFields
    ) throws(PlanFileError) -> UnprovenPlace {
        let place = try fields.string("unproven")
        guard CoverageRow.Kind(rawValue: place) != nil else {
            throw fields.error("\"unproven\" is not a location")
        }
        return UnprovenPlace(
            container: try fields.container("container"), scope: try fields.scope("database"),
            place: place, subject: try fields.string("subject"))
    }

    private static func footer(_ fields: inout PlanFields) throws(PlanFileError) -> PlanLine {
        var totals = PlanTotals()
        totals.steps = try fields.count("steps")
        totals.zones = try fields.count("zones")
        totals.defaultZones = try fields.count("defaultZones")
        totals.records = try fields.count("records")
        totals.subscriptions = try fields.count("subscriptions")
        totals.userRecords = try fields.count("userRecords")
        totals.sharedZones = try fields.count("sharedZones")
        totals.kept = try fields.count("kept")
        totals.unproven = try fields.count("unproven")
        return .footer(
            totals: totals, digest: try fields.string("digest"), seal: try fields.string("seal"))
    }
}
