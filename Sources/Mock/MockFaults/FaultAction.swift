import CloudWire

/// What a fault does to a request, named as in the JSON form.
package enum FaultAction: String, Sendable, CaseIterable {
    /// The whole request fails; nothing is executed.
    case error
    /// Items fail. Those that the request names are not executed; in an atomic batch their
    /// siblings fail with them, and nothing of their zone is stored. Of other requests the items
    /// of the response become error items.
    case itemError
    /// Items of the response are missing; their operations were executed.
    case dropItems
    /// Items of the response are repeated.
    case repeatItems
    /// The response is delayed. Delays add up.
    case delay
    /// The connection is closed; nothing is executed.
    case cutBeforeCommit
    /// The request is executed, then the connection is closed without a response.
    case cutAfterCommit
    /// A list still names zones that were deleted since the fault was set.
    case staleZoneList
    /// A page without items, with more to come.
    case emptyPage
    /// A page has the token of the request and more to come, so the client receives it twice.
    case repeatPage
    /// After a zone was deleted, another device creates it again with some records.
    case recreateZone
    /// `THROTTLED` when requests come faster than this, with the time to wait.
    case throttle
    /// The whole request fails with an HTTP status that is not the service's, and nothing is carried
    /// out.
    case status
    /// A response with status 200 that is not the service's, see ``WrongContent``.
    case wrongContent
    /// The response's body ends early, and its connection or stream with it.
    case cutBody
    /// A page of a feed ends where the feed ended some time ago.
    case stalePage
    /// The change tokens given out for the feed expire before the request is executed.
    case expireToken
    /// The user erases the zones in the settings before the request is executed.
    case purgeZone
    /// The zones are deleted by another device before the request is executed.
    case deleteZone
    /// The request waits at a gate until it is released, see ``GateHold``. Gates add up.
    case hold

    /// The text forms, with parameters in braces, of which the first whose values are known is
    /// written; what may follow; and an example.
    var form: (patterns: [String], options: [FaultParameter], example: String) {
        switch self {
        case .error: (["{code}"], [.retryAfter, .reason], "THROTTLED retry 30s")
        case .itemError:
            (
                ["{code} on {items} items", "{code} on {records} records", "{code} on all"],
                [.retryAfter],
                "CONFLICT on 2 items"
            )
        case .dropItems: (["drop {items} items", "drop {records} records"], [], "drop 1 items")
        case .repeatItems:
            (["repeat {items} items", "repeat {records} records"], [], "repeat 1 items")
        case .delay:
            (["delay {milliseconds}..{millisecondsMax}", "delay {milliseconds}"], [], "delay 50ms")
        case .cutBeforeCommit: (["cut before commit"], [], "cut before commit")
        case .cutAfterCommit: (["cut after commit"], [], "cut after commit")
        case .staleZoneList: (["stale zone list"], [], "stale zone list")
        case .emptyPage: (["empty page"], [], "empty page")
        case .repeatPage: (["repeat page"], [], "repeat page")
        case .recreateZone:
            (
                ["recreate zone with {newRecords} records", "recreate zone"], [],
                "recreate zone with 3 records"
            )
        case .throttle:
            (
                ["throttle {perSecond} burst {burst}", "throttle {perSecond}"], [],
                "throttle 10/s burst 20"
            )
        case .status: (["status {status}"], [.body], "status 502")
        case .wrongContent: (["wrong content {content}", "wrong content"], [], "wrong content")
        case .cutBody: (["cut at {bytes}"], [], "cut at 512")
        case .stalePage: (["stale {age}"], [], "stale 30s")
        case .expireToken: (["expire token"], [], "expire token")
        case .purgeZone: (["purge zone"], [], "purge zone")
        case .deleteZone: (["delete zone"], [], "delete zone")
        case .hold: (["hold {gate} at {point}", "hold {gate}"], [.deadline], "hold g1")
        }
    }

    /// Its parameters, and which of them it needs.
    package var parameters: (all: [FaultParameter], needed: [FaultParameter]) {
        let form = form
        let lists = form.patterns.map { FaultParameter.all(in: $0) }
        let all = FaultParameter.allCases.filter { lists.joined().contains($0) }
        let needed = all.filter { parameter in lists.allSatisfy { $0.contains(parameter) } }
        return (all + form.options, needed)
    }

    /// Whether only one action of this kind can fire on a request: all are but delays and gates.
    var isEnding: Bool { self != .delay && self != .hold }

    /// The operations that take change tokens.
    private static let feeds = [
        WireOperation.zoneListChanges, .databaseChanges, .zoneChanges,
    ].map(\.rawValue)

    /// The operations for which this action has a meaning.
    ///
    /// - Parameter countsRecords: Whether it is about the records in pages, of `changes/zone` or a batch of queries.
    func operations(countsRecords: Bool) -> [String] {
        switch self {
        case .error, .delay, .cutBeforeCommit, .cutAfterCommit, .throttle, .status, .wrongContent,
            .cutBody:
            FaultOperation.paths
        case .itemError, .dropItems, .repeatItems:
            countsRecords
                ? FaultOperation.paths { [.zoneChanges, .recordPages].contains($0.reply) }
                : FaultOperation.paths { $0.reply != .user && $0.reply != .done }
        case .staleZoneList: FaultOperation.paths { $0.reply == .zonePage }
        case .emptyPage, .repeatPage:
            FaultOperation.paths { [.zonePage, .zoneChanges, .recordPage].contains($0.reply) }
        case .recreateZone: FaultOperation.paths { $0.isModifying && $0.reply == .zones }
        case .stalePage, .expireToken: Self.feeds
        case .hold: WireOperation.standard.map(\.rawValue)
        case .purgeZone, .deleteZone: FaultOperation.paths { $0.names.contains(.zone) }
        }
    }
}
