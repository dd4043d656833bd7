import Basics
import CloudModel
import CloudWire
import MockFaults
import MockRules
import MockService
import MockStore

/// What each key of the administration holds, whatever the request: a row that only names a key means
/// what stands here.
enum AdminVocabulary {
    /// What is given under a name; anything where nothing is known of it.
    static func asked(_ member: Shape.Member) -> Shape.Member { filled(member, from: requests) }
    /// What is answered under a name.
    static func answered(_ member: Shape.Member) -> Shape.Member { filled(member, from: answers) }

    private static func filled(
        _ member: Shape.Member, from shapes: [String: Shape]
    ) -> Shape.Member {
        guard member.shape == .any, let shape = shapes[member.name] ?? both[member.name] else {
            return member
        }
        let full = Shape.Member(member.name, shape)
        return member.isRequired ? full.required : full
    }

    /// A container's identifier.
    static let container = Shape.text(
        pattern: "^(iCloud|com\\.apple)(\\.[A-Za-z0-9-]+)+$", bytesMax: 255)
    /// The name of a user, a device, a snapshot or a gate.
    static let name = Shape.text(pattern: "^[A-Za-z0-9._@-]{1,64}$", bytesMax: 64)
    static let namespace = Shape.text(pattern: NamespaceName.pattern, bytesMax: 63)
    private static let environment = Shape.choice(of: Container.Environment.self)
    private static let texts = Shape.list(.text)
    private static let milliseconds = Shape.integer(0...Timestamp.last.milliseconds)
    private static let page = Shape.integer(0...1_000_000_000)

    /// Keys that hold the same in requests and answers.
    private static let both: [String: Shape] = [
        "event": .choice(of: SimulatedEvent.Kind.self), "apiToken": .text, "callbacks": texts,
        "container": container, "database": .choice(of: Database.Scope.self), "device": name,
        "discoverable": .flag, "emailAddresses": texts, "environment": environment,
        "keyID": .text, "milliseconds": milliseconds, "mode": .choice(of: ServerClock.Mode.self),
        "now": .text, "origins": texts, "owner": .text, "phoneNumbers": texts, "user": name,
        "rate": .number, "webToken": .text, "zone": .text,
        "name": .text,
    ].merging(NameComponents.parts.map { ($0.name, .text) }) { known, _ in known }

    private static let requests: [String: Shape] = [
        "after": page, "also": .list(.choice(of: ResetResource.Part.self)),
        "area": .choice(of: BehaviorRule.Area.self), "by": name,
        "callback": .text,
        "containers": .list(container), "count": .integer(1...SimulatedEvent.countMax),
        "deleted": .choice(of: RecordListing.Deleted.self), "downloadURL": .text, "fault": .text,
        "id": .text, "last": page, "limit": page, "operation": .choice(FaultOperation.names),
        "publicKey": .text, "snapshot": name, "scope": .choice(of: Database.Scope.self),
        "seconds": .integer(-ServerClock.stepMax / 1000...ServerClock.stepMax / 1000),
        "to": name, "token": .text, "type": .text, "with": name,
    ]

    private static let answers: [String: Shape] = [
        "about": .text, "events": .list("AdminEvent"),
        "administration": .list("AdminRow"), "after": .oneOf([.integer, .text]),
        "apiTokens": .list("AdminAPIToken"), "bytes": .count, "changed": .count,
        "commitFailures": .count, "containers": .list(container), "createdBy": .text,
        "databases": .list("AdminDatabase"), "deletedBy": .text,
        "devices": .list("AdminPushDevice"), "dropped": .count, "entries": .list("JournalEntry"),
        "faults": .count, "generation": .count, "kept": .count, "keys": texts, "lost": .count,
        "matching": .count, "message": .text, "namespaces": .list("AdminNamespace"),
        "modifiedBy": .text, "more": .flag,
        "pid": .count, "place": .integer, "positions": .list("AdminPosition"),
        "pushes": .list("AdminPush"),
        "record": "Record", "recordTypes": .count, "records": .list("AdminRecord"),
        "referrers": .list("AdminReferrer"), "removed": .text, "requests": .count,
        "schemas": .list("AdminSchema"), "seed": .text, "serverKeys": .list("AdminKey"),
        "service": .list("ServiceRow"), "shares": .list("AdminShare"), "snapshots": texts,
        "sources": .list("RuleSource"), "startedAt": .text, "status": .text, "store": .text,
        "switches": .list("ServerSwitch"), "timedOut": .count, "takesNoWrites": .text,
        "tombstone": "AdminRecord",
        "total": .count, "totals": .map(.count), "transfers": .list("TransferRow"),
        "url": .text, "webTokens": .map(.text), "users": .list("AdminUser"),
        "zones": .list("AdminZone"),
    ]
}
