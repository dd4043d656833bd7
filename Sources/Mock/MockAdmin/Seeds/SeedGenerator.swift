import Basics
package import CloudModel
import CloudWire
package import MockStore

/// Makes plausible accounts, the same for the same request, in pieces of bounded size.
package struct SeedGenerator: Sendable {
    package var profile = SeedProfile.notes
    package var users = ["ann", "bob"]
    package var containers = SeedGenerator.exampleContainers
    package var environment = Container.Environment.development
    /// Custom zones for each user and container; nil: the profile's number.
    package var zones: Int?
    /// Records in each zone; nil: the profile's number.
    package var records: Int?
    package var seed: UInt64 = 1
    /// How many of a hundred records of a custom zone are deleted again, as in an account that has been lived
    /// in: then some parents are also changed after their children, and some references are to deleted records.
    package var deleted = 0
    /// Hierarchies that each user shares with the next, in the first container.
    package var shares = 0

    /// The three containers of `Containers/example.json`.
    package static let exampleContainers = ["", ".documents", ".settings"].compactMap {
        Container.ID("iCloud.com.example.myexampleapp" + $0)
    }
    private static let names = ["ann", "bob", "cem", "dora", "eve", "finn", "gul", "hana"]

    /// A seed of the profile `notes` for two users.
    package init() {}

    /// The first `count` of our users' names.
    package static func userNames(_ count: Int) -> [String] {
        (0..<count).map { $0 < names.count ? names[$0] : "user\($0 + 1)" }
    }

    /// A piece of the work, small enough for one turn of the server's loop.
    package enum Piece: Sendable, Hashable {
        /// Custom zones with all their records, by number.
        case zones(user: String, Database.Address, Range<Int>)
        /// A file for the records of the next step.
        case file(SeedAsset, SeedStep)
        /// A request as the user would send it.
        case step(SeedStep)
        case share(SeedShare)
    }

    private static let batch = WireLimits.operationsMax
    /// Above this a zone's records go in by requests rather than at once.
    private static let recordsAtOnceMax = 1000

    /// All pieces in order; made one at a time.
    package var pieces: AnySequence<Piece> {
        let owners = users.flatMap { user in containers.map { (user, $0) } }
        return AnySequence(
            owners.lazy.flatMap { user, container in
                self.zonePieces(user, container).lazy.flatMap {
                    self.pieces(of: $0, user, container)
                }
            })
    }

    /// A step comes after the files that it needs.
    private func pieces(of part: Part, _ user: String, _ container: Container.ID) -> [Piece] {
        let piece = piece(part, user, container)
        guard case .step(let step) = piece else { return [piece] }
        return step.files.map { .file($0, step) } + [piece]
    }

    /// What a piece is about, before its content is made.
    private enum Part {
        case zones(Range<Int>)
        case zone(Int)
        case records(zone: Int, Range<Int>)
        case defaults(type: Int, Range<Int>)
        case publics(type: Int, Range<Int>)
        case subscriptions(Database.Scope)
        /// What has happened since to some records of a zone.
        case life(zone: Int, Range<Int>)
        case share(Int)
    }

    /// Whether a zone's records go in by requests.
    private var takesRequests: Bool {
        (records ?? profile.records) > Self.recordsAtOnceMax || profile.hasFiles
    }

    private func zonePieces(_ user: String, _ container: Container.ID) -> AnySequence<Part> {
        let shape = SeedShape.shape(for: container, profile: profile)
        let zones = zones ?? profile.zones
        let records = records ?? profile.records
        let custom: AnySequence<Part>
        if takesRequests {
            custom = AnySequence(
                (0..<zones).lazy.flatMap { zone in
                    [Part.zone(zone)] + Self.slices(records).map { .records(zone: zone, $0) }
                })
        } else {
            let step = max(1, min(Self.batch, 1_000 / max(1, records)))
            custom = AnySequence(
                stride(from: 0, to: zones, by: step).lazy.map {
                    .zones($0..<min($0 + step, zones))
                })
        }
        var rest: [Part] = []
        var life = AnySequence<Part>([])
        if deleted > 0 {
            life = AnySequence(
                (0..<zones).lazy.flatMap { zone in
                    Self.slices(records).map { .life(zone: zone, $0) }
                })
        }
        if zones > 0, records > 0, container == containers.first, users.count > 1 {
            rest += (0..<shares).map { .share($0) }
        }
        for type in shape.defaultTypes.indices {
            rest += Self.slices(min(records, 250)).map { .defaults(type: type, $0) }
        }
        for type in shape.publicTypes.indices {
            rest += Self.slices(min(records, 20)).map { .publics(type: type, $0) }
        }
        if profile != .wide {
            rest += [.subscriptions(.private)]
            if !shape.publicTypes.isEmpty { rest += [.subscriptions(.public)] }
        }
        return AnySequence([custom, life, AnySequence(rest)].lazy.joined())
    }

    private static func slices(_ count: Int) -> [Range<Int>] {
        stride(from: 0, to: count, by: batch).map { $0..<min($0 + batch, count) }
    }

    private func piece(_ part: Part, _ user: String, _ container: Container.ID) -> Piece {
        let shape = SeedShape.shape(for: container, profile: profile)
        func address(_ scope: Database.Scope) -> Database.Address {
            Database.Address(container: container, environment: environment, scope: scope)
        }
        func step(_ scope: Database.Scope, _ command: CloudCommand) -> Piece {
            .step(SeedStep(user: user, address: address(scope), command: command))
        }
        switch part {
        case .zones(let range): return .zones(user: user, address(.private), range)
        case .zone(let number):
            let id = RecordZone.ID(shape.zoneName(number))
            return step(.private, .write(.modifyZones([.create(id)])))
        case .records(let zone, let range):
            let name = shape.zoneName(zone)
            let made = make(
                shape.zoneTypes, range, stream: "\(user)/\(container)/\(name)/\(range)")
            return .step(
                SeedStep(
                    user: user, address: address(.private),
                    command: Self.saving(made.records, in: RecordZone.ID(name)),
                    files: made.files))
        case .life(let zone, let range):
            let name = shape.zoneName(zone)
            return step(.private, life(of: name, range, shape, user, container))
        case .share(let number):
            let next = ((users.firstIndex(of: user) ?? 0) + 1) % users.count
            return .share(
                SeedShare(
                    number: number, owner: user, guest: users[next], address: address(.private),
                    zone: RecordZone.ID(shape.zoneName(number % max(1, zones ?? profile.zones))),
                    types: shape.zoneTypes.map(\.type)))
        case .defaults(let type, let range):
            let records = self.records(
                [shape.defaultTypes[type]], range, stream: "\(user)/\(container)/d\(type)/\(range)")
            return step(.private, Self.saving(records, in: .default))
        case .publics(let type, let range):
            let records = self.records(
                [shape.publicTypes[type]], range, stream: "\(user)/\(container)/p\(type)/\(range)")
            return step(.public, Self.saving(records, in: .default))
        case .subscriptions(let scope):
            return step(scope, .write(.modifySubscriptions(subscriptions(scope, shape, user))))
        }
    }

    /// The records of a whole custom zone, for `MockStore.seed(zones:at:user:records:)`.
    package func records(
        ofZone name: String, user: String, in container: Container.ID
    ) -> [SeedRecord] {
        let shape = SeedShape.shape(for: container, profile: profile)
        return records(
            shape.zoneTypes, 0..<(records ?? profile.records),
            stream: "\(user)/\(container)/\(name)")
    }

    private func records(
        _ types: [SeedShape.RecordShape], _ range: Range<Int>, stream: String
    ) -> [SeedRecord] { make(types, range, stream: stream).records }

    private func make(
        _ types: [SeedShape.RecordShape], _ range: Range<Int>, stream: String
    ) -> (records: [SeedRecord], files: [SeedAsset]) {
        var maker = SeedRecordMaker(seed: seed ^ FNV1a.hash(stream))
        return (range.map { maker.record(types, number: $0) }, maker.files)
    }

    /// Deletes some records of a zone, and changes others.
    private func life(
        of zone: String, _ range: Range<Int>, _ shape: SeedShape, _ user: String,
        _ container: Container.ID
    ) -> CloudCommand {
        let stream = "\(user)/\(container)/\(zone)"
        let made =
            takesRequests
            ? records(shape.zoneTypes, range, stream: "\(stream)/\(range)")
            : Array(records(ofZone: zone, user: user, in: container)[range])
        let life = SeedLife(
            made, parent: shape.zoneTypes[0],
            // Over all slices exactly the share that was asked for.
            deleting: range.upperBound * deleted / 100 - range.lowerBound * deleted / 100)
        return .write(
            .modifyRecords(
                RecordModifyRequest(
                    operations: life.operations, zoneID: RecordZone.ID(zone), atomic: false)))
    }

    private static func saving(
        _ records: [SeedRecord], in zone: RecordZone.ID
    ) -> CloudCommand {
        .write(
            .modifyRecords(
                RecordModifyRequest(
                    operations: records.map { record in
                        RecordOperation(
                            .forceReplace, recordName: record.recordName,
                            recordType: record.recordType,
                            fields: record.fields.mapValues { Field($0) }, parent: record.parent)
                    }, zoneID: zone, atomic: false)))
    }

    private func subscriptions(
        _ scope: Database.Scope, _ shape: SeedShape, _ user: String
    ) -> [Subscription.Operation] {
        guard scope == .private else {
            let type = shape.publicTypes[0].type
            return [
                .create(
                    Subscription(
                        subscriptionID: "\(user)-new-\(type)", kind: .query,
                        query: Query(recordType: type), zoneID: .default, firesOn: [.create]))
            ]
        }
        var operations = [
            Subscription.Operation.create(
                Subscription(subscriptionID: "all-changes", kind: .database))
        ]
        if (zones ?? profile.zones) > 0 {
            operations.append(
                .create(
                    Subscription(
                        subscriptionID: "first-zone", kind: .zone,
                        zoneID: RecordZone.ID(shape.zoneName(0)))))
        }
        return operations
    }
}

/// One request that a seed makes in a user's name.
package struct SeedStep: Sendable, Hashable {
    package let user: String
    package let address: Database.Address
    package let command: CloudCommand
    /// The files that its records have.
    var files: [SeedAsset] = []
}
