import Basics
import CloudModel
import Configuration
import DeletionPlanning
import JSON
package import Journal

extension SweepReport {
    /// Reads what ``json(pretty:)`` wrote. What it says was proven then; it proves nothing anew.
    ///
    /// - Throws: `corrupt`, with what is wrong, when it is something else.
    package init(json bytes: [UInt8]) throws(JournalError) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument.parse(bytes).root
        } catch {
            throw JournalError(.corrupt, "the report is not JSON: \(error)")
        }
        guard
            let status = root["status"]?.int64.flatMap({
                ExitStatus(rawValue: Int32(clamping: $0))
            }), let explanation = root["explanation"]?.string
        else { throw JournalError(.corrupt, "the report does not say how the run ended") }
        self.init(.recorded(status, explanation), runID: root["run"]?.string)
        if let url = root["server"]?.string, let isRehearsal = root["rehearsal"]?.bool {
            server = ServerFacts(url: url, isRehearsal: isRehearsal)
        }
        serverKey = root["serverKey"]?.string
        cascade.others = root.count("othersByCascade")
        application = root["application"]?.string
        allowPartial = root["allowPartial"]?.string
        environment = root["environment"]?.string.flatMap { .init(rawValue: $0) }
        began = root.timestamp("began")
        ended = root.timestamp("ended")
        chainHead = root["chainHead"]?.string
        evidencePath = root["evidence"]?.string
        isSigned = root["signed"]?.bool
        failureCount = root.count("failureCount")
        requests = root.count("requests")
        retries = root.count("retries")
        subjects = root.list("containers").compactMap { value in
            Self.subject(value).map {
                Subject(
                    container: $0.container, userPseudonym: $0.userPseudonym, givenName: nil,
                    pseudonymForOthers: value["userForOthers"]?.string)
            }
        }
        rows = root.list("coverage").compactMap(Self.row)
        failures = root.list("failures").compactMap(Self.failure)
        passes = root.list("passes").map { pass in
            VerificationPass(
                number: pass.count("number"), began: pass.timestamp("began") ?? Self.never,
                ended: pass.timestamp("ended") ?? Self.never, left: pass.count("left"),
                unread: pass.count("unread"), requests: pass.count("requests"))
        }
        timings = root.list("timings").compactMap { timing in
            guard let phase = timing["phase"]?.string.flatMap(SweepPhase.init(rawValue:)) else {
                return nil
            }
            return Timing(phase: phase, took: .milliseconds(timing["milliseconds"]?.int64 ?? 0))
        }
        unmatchedRules = root.list("unmatchedRules").map { rule in
            ProtectRule(
                container: rule["container"]?.string.flatMap { Container.ID($0) },
                zone: rule["zone"]?.string, recordType: rule["recordType"]?.string,
                reason: rule["reason"]?.string ?? "")
        }
        plan = root["plan"].flatMap(Self.plan)
        recordsInZones = root["recordsInZones"]?.int64.map { Int(clamping: $0) }
        erasureRequest = root["request"].flatMap(Self.request)
    }

    private static let never = Timestamp(milliseconds: 0)

    private static func subject(_ value: JSONValue) -> PlanFacts.Subject? {
        guard let container = value["identifier"]?.string.flatMap({ Container.ID($0) }) else {
            return nil
        }
        return PlanFacts.Subject(
            container: container, userPseudonym: value["user"]?.string ?? "")
    }

    private static func row(_ value: JSONValue) -> CoverageRow? {
        guard let container = value["container"]?.string.flatMap({ Container.ID($0) }),
            let scope = value["database"]?.string.flatMap(Database.Scope.init(rawValue:)),
            let kind = value["kind"]?.string.flatMap(CoverageRow.Kind.init(rawValue:)),
            let outcome = value["outcome"]?.string.flatMap(CoverageRow.Outcome.init(rawValue:))
        else { return nil }
        var row = CoverageRow(
            container: container, scope: scope, kind: kind, subject: value["subject"]?.string,
            outcome: outcome, reason: value["reason"]?.string)
        row.code = value["code"]?.string.flatMap(CloudError.Code.init(rawValue:))
        row.found = value.count("found")
        row.deleted = value.count("deleted")
        row.alreadyGone = value.count("alreadyGone")
        row.kept = value.count("kept")
        row.failed = value.count("failed")
        row.exported = value.count("exported")
        row.left = value.count("left")
        return row
    }

    private static func failure(_ value: JSONValue) -> Failure? {
        guard let container = value["container"]?.string.flatMap({ Container.ID($0) }),
            let scope = value["database"]?.string.flatMap(Database.Scope.init(rawValue:)),
            let kind = value["kind"]?.string.flatMap(CoverageRow.Kind.init(rawValue:))
        else { return nil }
        return Failure(
            container: container, scope: scope, kind: kind, name: value["name"]?.string,
            code: value["code"]?.string.flatMap(CloudError.Code.init(rawValue:)) ?? .unknown,
            reason: value["reason"]?.string ?? "")
    }

    private static func request(_ value: JSONValue) -> ErasureRequest? {
        ErasureRequest(
            text: "\(value["received"]?.string ?? "") \(value["regime"]?.string ?? "")")
    }

    private static func plan(_ value: JSONValue) -> PlanFacts? {
        guard
            let environment = value["environment"]?.string.flatMap(
                Container.Environment.init(rawValue:)),
            let digest = value["digest"]?.string, let server = value["server"]?.string,
            let isRehearsal = value["rehearsal"]?.bool
        else { return nil }
        var totals = PlanTotals()
        totals.steps = value.count("steps")
        totals.zones = value.count("zones")
        totals.defaultZones = value.count("defaultZones")
        totals.records = value.count("records")
        totals.subscriptions = value.count("subscriptions")
        totals.userRecords = value.count("userRecords")
        totals.sharedZones = value.count("sharedZones")
        totals.kept = value.count("kept")
        totals.unproven = value.count("unproven")
        return PlanFacts(
            toolVersion: value["tool"]?.string ?? "", environment: environment,
            server: ServerFacts(url: server, isRehearsal: isRehearsal),
            subjects: value.list("users").compactMap(subject),
            scopes: value.list("databases").compactMap {
                $0.string.flatMap(Database.Scope.init(rawValue:))
            }, created: value.timestamp("created") ?? never,
            expires: value.timestamp("expires") ?? never, nonce: value["nonce"]?.string ?? "",
            conditions: PlanConditions(
                notBefore: value.timestamp("notBefore"),
                request: value["request"].flatMap(request)), totals: totals,
            export: value["export"]?.string, digest: digest)
    }
}

extension JSONValue {
    fileprivate func count(_ key: String) -> Int { Int(self[key]?.int64 ?? 0) }
    fileprivate func timestamp(_ key: String) -> Timestamp? {
        self[key]?.int64.map { Timestamp(milliseconds: $0) }
    }
    fileprivate func list(_ key: String) -> [JSONValue] {
        guard let value = self[key], value.kind == .array else { return [] }
        return Array(value.elements)
    }
}
