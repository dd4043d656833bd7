import CloudModel
import HTTPServer
import JSON

/// A seed on its way into the store.
package final class SeedJob: StoreJob {
    private var pieces: AnyIterator<SeedGenerator.Piece>
    private let generator: SeedGenerator?
    private(set) var counts = SeedCounts()
    /// Items that were refused, at most ``refusalsMax``.
    private(set) var refusals: [String] = []
    private static let refusalsMax = 20

    init(_ generator: SeedGenerator) {
        pieces = AnyIterator(generator.pieces.makeIterator())
        self.generator = generator
    }

    init(_ fixture: Fixture) {
        pieces = AnyIterator(fixture.steps.lazy.map { .step($0) }.makeIterator())
        generator = nil
    }

    /// Does pieces for some milliseconds; false when none is left.
    package func goOn(_ store: MockStore) throws(MockStoreError) -> Bool {
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
            counts.zones += range.count
            counts.records += range.count * (generator.records ?? generator.profile.records)
        case .step(let step):
            do throws(CloudError) {
                let reply = try store.apply(step.command, at: step.address, by: .user(step.user))
                let bad = reply.tally.codes
                counts.add(step.command)
                for (code, count) in bad.sorted(by: { $0.key < $1.key }) {
                    let first = Self.firstRefusal(in: reply, code).map { ", first: \($0)" } ?? ""
                    refuse("\(step.address) of \(step.user): \(count) items \(code)\(first)")
                }
            } catch {
                refuse("\(step.address) of \(step.user): \(error.code.rawValue) \(error.reason)")
            }
        }
        return true
    }

    /// The name and the reason of the first item refused with `code`.
    private static func firstRefusal(in reply: CloudReply, _ code: String) -> String? {
        var refused: [(name: String, error: CloudError)] = []
        switch reply {
        case .zones(let items):
            for case .failure(let id, let error) in items { refused.append((id.zoneName, error)) }
        case .records(let batch):
            for case .failure(let name, let error) in batch.records {
                refused.append((name, error))
            }
        case .subscriptions(let items):
            for case .failure(let name, let error) in items { refused.append((name, error)) }
        default: break
        }
        return refused.first { $0.error.code.rawValue == code }
            .map { "\"\($0.name)\" (\($0.error.reason))" }
    }

    private func refuse(_ reason: String) {
        if refusals.count < Self.refusalsMax { refusals.append(reason) }
    }
}

extension MockApplication {
    /// What a job that came to its end is answered with.
    func finished(_ job: SeedJob) -> HTTPResponse {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("zones", job.counts.zones)
            writer.member("records", job.counts.records)
            writer.member("subscriptions", job.counts.subscriptions)
            writer.member("refused", job.refusals)
        }
        return adminResponse(status: job.refusals.isEmpty ? 200 : 422, writer.bytes)
    }
}
