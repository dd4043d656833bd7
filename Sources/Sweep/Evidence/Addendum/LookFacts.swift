package import Basics

/// What a later look at everything that a run had swept found.
package struct LookFacts: Sendable, Hashable {
    /// What it comes to. It is derived from the rows and the passes; no caller hands one in.
    package enum Found: String, Sendable, CaseIterable, Comparable {
        /// Everything was read, and nothing was there.
        case empty
        /// Not everything could be read, and nothing was seen: nobody can say.
        case incomplete
        /// Zones or subscriptions came back, and there is no record in them.
        case recreatedEmpty
        /// Records, or other things that hold data, came back.
        case recreatedWithData

        /// In the order of how bad it is.
        private var rank: Int {
            switch self {
            case .empty: 0
            case .incomplete: 1
            case .recreatedEmpty: 2
            case .recreatedWithData: 3
            }
        }

        package static func < (left: Found, right: Found) -> Bool { left.rank < right.rank }
    }

    /// One place where something came back.
    package struct Row: Sendable, Hashable {
        package var container: String
        package var database: String
        package var kind: String
        /// Things that are there.
        package var left: Int
        /// Those of them that hold no data.
        package var withoutData: Int

        package init(
            container: String, database: String, kind: String, left: Int, withoutData: Int
        ) {
            self.container = container
            self.database = database
            self.kind = kind
            self.left = left
            self.withoutData = withoutData
        }
    }

    package static let rowsMax = 100_000
    package static let devicesMax = 16

    /// The run of the look itself, whose events are in its journal.
    package let run: String
    package let beganAt: Timestamp
    package let endedAt: Timestamp
    package let service: ServiceFacts
    package let environment: String
    /// Sorted by identifier; the pseudonyms are those of the statement.
    package let containers: [ErasureFacts.Subject]
    package let passes: [EvidencePass]
    /// Clean passes in a row that *empty* rests on.
    package let cleanPasses: Int
    /// Only places where something is.
    package let rows: [Row]
    /// Places that could not be read, or cannot be proven.
    package let unread: Int
    /// Keyed digests of the devices that wrote what is there, as far as the service says so; at most
    /// ``devicesMax``.
    package let devices: [String]
    /// Whether the engine's proof says that everything is empty.
    private let isProven: Bool

    /// - Parameter proof: The engine's proof that everything was empty; nil: there is none.
    package init(
        run: String, beganAt: Timestamp, endedAt: Timestamp, service: ServiceFacts,
        environment: String, containers: [ErasureFacts.Subject], passes: [EvidencePass],
        cleanPasses: Int, rows: [Row], unread: Int, devices: [String],
        provenBy proof: (any CompletionProof)?
    ) throws(EvidenceError) {
        self.run = run
        self.beganAt = beganAt
        self.endedAt = endedAt
        self.service = service
        self.environment = environment
        self.containers = containers
        self.passes = passes
        self.cleanPasses = cleanPasses
        self.rows = rows
        self.unread = unread
        self.devices = devices
        isProven =
            proof.map {
                $0.run == run && $0.environment == environment && $0.server == service.url
                    && $0.serverKey == service.keyDigest
                    && $0.containers == containers.map(\.identifier)
                    && $0.cleanPasses >= cleanPasses
            } ?? false
        try check()
    }

    package var found: Found {
        if rows.contains(where: { $0.left > $0.withoutData }) { return .recreatedWithData }
        if !rows.isEmpty { return .recreatedEmpty }
        return isProven ? .empty : .incomplete
    }

    /// Things that are there in all places; the largest number where there is no sum.
    package var left: Int { rows.reduce(0) { $0.clampedSum($1.left) } }

    // MARK: Bytes

    var canonical: CanonicalValue {
        .object([
            ("beganAt", .number(beganAt.milliseconds)),
            ("cleanPasses", .number(Int64(cleanPasses))),
            (
                "containers",
                .list(
                    containers.map {
                        .object([("identifier", .text($0.identifier)), ("user", .text($0.user))])
                    })
            ), ("devices", .list(devices.map { .text($0) })),
            ("endedAt", .number(endedAt.milliseconds)), ("environment", .text(environment)),
            ("found", .text(found.rawValue)), ("passes", .list(passes.map(\.canonical))),
            ("rows", .list(rows.map(\.canonical))), ("run", .text(run)),
            ("service", service.canonical), ("unread", .number(Int64(unread))),
        ])
    }

    /// - Throws: `fields`, `addendum` when it contradicts itself.
    init(_ members: consuming Members) throws(EvidenceError) {
        run = try members.text("run")
        beganAt = try members.time("beganAt")
        endedAt = try members.time("endedAt")
        service = try ServiceFacts(members.object("service"))
        environment = try members.text("environment")
        containers = try members.objects("containers") { subject throws(EvidenceError) in
            ErasureFacts.Subject(
                identifier: try subject.text("identifier"), user: try subject.text("user"))
        }
        passes = try members.objects("passes") { pass throws(EvidenceError) in
            try EvidencePass(&pass)
        }
        cleanPasses = try members.count("cleanPasses")
        rows = try members.objects("rows") { row throws(EvidenceError) in try Row(&row) }
        unread = try members.count("unread")
        var devices: [String] = []
        for value in try members.list("devices") {
            guard case .text(let device) = value, Hexadecimal.decode(device)?.count == 16 else {
                throw EvidenceError(.fields, "a device is not a keyed digest")
            }
            devices.append(device)
        }
        self.devices = devices
        let said = try members.word("found", Found.self)
        isProven = said == .empty
        try members.finish()
        try check()
        guard found == said else {
            throw EvidenceError(.addendum, "its result does not follow from its rows")
        }
    }

    /// Holds what is said to what it rests on.
    private func check() throws(EvidenceError) {
        guard rows.count <= Self.rowsMax, devices.count <= Self.devicesMax else {
            throw EvidenceError(.tooLarge, "a scan with too many rows or devices")
        }
        guard rows.allSatisfy({ $0.left > 0 && (0...$0.left).contains($0.withoutData) }) else {
            throw EvidenceError(.addendum, "a row of the scan has impossible numbers")
        }
        guard beganAt <= endedAt,
            passes.map(\.number) == Array(1..<(passes.count + 1)),
            passes.allSatisfy({ beganAt <= $0.beganAt && $0.beganAt <= $0.endedAt })
        else { throw EvidenceError(.addendum, "the times of the scan are out of order") }
        guard found == .empty else { return }
        let last = passes.suffix(max(1, cleanPasses))
        guard unread == 0, last.count >= max(1, cleanPasses),
            last.allSatisfy({ $0.isClean && $0.requests > 0 })
        else { throw EvidenceError(.addendum, "it says empty, but its passes found something") }
    }
}

extension LookFacts.Row {
    fileprivate var canonical: CanonicalValue {
        .object([
            ("container", .text(container)), ("database", .text(database)), ("kind", .text(kind)),
            ("left", .number(Int64(left))), ("withoutData", .number(Int64(withoutData))),
        ])
    }

    fileprivate init(_ members: inout Members) throws(EvidenceError) {
        self.init(
            container: try members.text("container"), database: try members.text("database"),
            kind: try members.text("kind"), left: try members.count("left"),
            withoutData: try members.count("withoutData"))
    }
}
