import CloudModel
import HTTPServer
import JSON
package import MockService
package import MockStore

/// A seed on its way into the store.
package final class SeedJob: StoreJob {
    private var pieces: AnyIterator<SeedGenerator.Piece>
    private let generator: SeedGenerator?
    private var zones = 0
    private var records = 0
    private var subscriptions = 0
    private var deleted = 0
    private var shares = 0
    /// The files of the next step.
    private var uploaded: [SeedAsset.Key: Asset] = [:]
    /// Items that were refused, at most ``refusalsMax``.
    package private(set) var refusals: [String] = []
    private static let refusalsMax = 20
    /// The history of the store in which the seed was begun.
    private var history: UInt32?

    package init(_ generator: SeedGenerator) {
        pieces = AnyIterator(generator.pieces.makeIterator())
        self.generator = generator
    }

    init(_ fixture: Fixture) {
        let pieces = fixture.steps.lazy.flatMap { step in
            step.files.map { .file($0, step) } + [SeedGenerator.Piece.step(step)]
        }
        self.pieces = AnyIterator(pieces.makeIterator())
        generator = nil
    }

    /// Does pieces for some milliseconds; false when none is left.
    ///
    /// - Throws: ``MockStoreError`` where a snapshot replaced the data since the last slice: what is left
    ///   would be a part of a seed.
    package func runSlice(_ store: MockStore) throws(MockStoreError) -> Bool {
        guard history == nil || history == store.epoch else {
            throw MockStoreError(
                .refused, "a snapshot has replaced the data meanwhile: seed it again")
        }
        history = store.epoch
        let began = ContinuousClock.now
        while ContinuousClock.now - began < .milliseconds(20) {
            guard try advance(store) else { return false }
        }
        return true
    }

    /// Does the next piece; false when none is left.
    private func advance(_ store: MockStore) throws(MockStoreError) -> Bool {
        guard let piece = pieces.next() else { return false }
        switch piece {
        case .zones(let user, let address, let range):
            guard let generator else { return true }
            let shape = SeedShape.shape(for: address.container, profile: generator.profile)
            try store.seed(
                zones: range.map(shape.zoneName), at: address, user: user
            ) { generator.records(ofZone: $0, user: user, in: address.container) }
            zones += range.count
            records += range.count * (generator.records ?? generator.profile.records)
        case .file(let file, let step):
            do throws(CloudError) {
                uploaded[file.key] = try file.upload(step, to: store)
            } catch {
                try refuse(step, error)
            }
        case .share(let share):
            do throws(CloudError) {
                try share.make(in: store)
                shares += 1
            } catch {
                if error.code == .tryAgainLater { throw MockStoreError(.busy, error.reason) }
                refuse("share \(share.number + 1) of \(share.owner): \(error.reason)")
            }
        case .step(let step):
            do throws(CloudError) {
                let command = step.command(attaching: uploaded)
                uploaded.removeAll()
                let reply = try store.apply(command, at: step.address, by: .user(step.user))
                count(step.command)
                let byCode = Dictionary(grouping: reply.outcome.failures) { $0.error.code.rawValue }
                for (code, failures) in byCode.sorted(by: { $0.key < $1.key }) {
                    let first = "\"\(failures[0].name)\" (\(failures[0].error.reason))"
                    refuse(
                        "\(step.address) of \(step.user): \(failures.count) items \(code), "
                            + "first: \(first)")
                }
            } catch {
                try refuse(step, error)
            }
        }
        return true
    }

    private func refuse(_ step: SeedStep, _ error: CloudError) throws(MockStoreError) {
        // A seed with holes would be worse than none.
        if error.code == .tryAgainLater { throw MockStoreError(.busy, error.reason) }
        refuse("\(step.address) of \(step.user): \(error.code.rawValue) \(error.reason)")
    }

    private func count(_ command: CloudCommand) {
        switch command {
        case .write(.modifyZones(let operations)): zones += operations.count
        case .write(.modifyRecords(let request)):
            for operation in request.operations {
                // Those that were changed are there already.
                if operation.kind.isDelete { deleted += 1 }
                if operation.kind == .forceReplace || operation.kind == .create { records += 1 }
            }
        case .write(.modifySubscriptions(let operations)): subscriptions += operations.count
        default: break
        }
    }

    private func refuse(_ reason: String) {
        if refusals.count < Self.refusalsMax { refusals.append(reason) }
    }

    private func write(to writer: inout JSONWriter) {
        writer.member("zones", zones)
        writer.member("records", records)
        writer.member("subscriptions", subscriptions)
        writer.member("deleted", deleted)
        writer.member("shares", shares)
        writer.member("refused", refusals)
    }
}

extension SeedJob {
    /// Creates the users, containers and schemas of a fixture.
    ///
    /// - Returns: The job that loads its data.
    package static func begin(
        _ fixture: Fixture, _ store: MockStore
    ) throws(MockError) -> SeedJob {
        try add(fixture.users, to: store)
        try add(fixture.steps.map(\.address.container), to: store)
        for (container, schema) in fixture.schemas {
            try storing { () throws(MockStoreError) in
                try store.setSchema(schema, of: container)
            }
        }
        return SeedJob(fixture)
    }

    static func begin(
        _ generator: SeedGenerator, _ store: MockStore
    ) throws(MockError) -> SeedJob {
        try add(generator.users.map { MockUser($0) }, to: store)
        try add(generator.containers, to: store)
        return SeedJob(generator)
    }

    private static func add(
        _ containers: [Container.ID], to store: MockStore
    ) throws(MockError) {
        for container in Set(containers).sorted() {
            try storing { () throws(MockStoreError) in try store.addContainer(container) }
        }
    }

    /// A property that is not given stays as it is.
    private static func add(_ users: [MockUser], to store: MockStore) throws(MockError) {
        for user in users {
            try storing { () throws(MockStoreError) in try store.addUser(user) }
        }
    }

    /// The response once it has ended.
    var response: HTTPResponse {
        var writer = JSONWriter()
        writer.object(write)
        return HTTPResponse(status: refusals.isEmpty ? 200 : 422, json: writer.bytes)
    }
}
