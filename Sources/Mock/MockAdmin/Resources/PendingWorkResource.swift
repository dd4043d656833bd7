import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockService
import MockStore

/// Pending work: what the service does later than the request that caused it.
struct PendingWorkResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "ticks", answers: [.list("ticks", of: "AdminTick")],
            "lists the kinds of pending work, and how much of each there is", list),
        AdminEndpoint(
            "POST", "tick",
            takes: .object([.required("what"), .integer("count", 1...1_000_000_000)]),
            answers: ["what", .count("done"), .count("waiting")], "runs pending work now", run),
    ]

    /// How much pending work there is of each kind.
    private func list() throws(MockError) -> RequestOutcome {
        let count = OldCount()
        return .job(count) {
            do throws(MockError) {
                let all = try Tick.allCases.map { tick throws(MockError) in
                    (tick, try waiting(for: tick, count))
                }
                return HTTPResponse.object { writer in
                    writer.objects("ticks", all) { writer, entry in
                        writer.member("what", entry.0.rawValue)
                        writer.member("waiting", entry.1)
                        writer.member("about", entry.0.about)
                    }
                }
            } catch {
                return HTTPResponse(error)
            }
        }
    }

    /// `{"what": "push", "count": 1}`
    private func run() throws(MockError) -> RequestOutcome {
        let what = try Tick(asked: try body.requiredText("what"))
        let count = try body.number("count", in: 1...Tick.countMax)
        guard count == nil || what.canBeCounted else {
            throw MockError("\(what.rawValue) runs as a whole; omit \"count\"")
        }
        switch what {
        case .defaultZoneCascade:
            let job = CascadeJob(count: count)
            return .job(job) { tickAnswer(what, done: job.done) }
        case .tombstoneCompaction:
            let (job, left) = (CompactJob(), OldCount())
            return .job(JobPair(job, left)) {
                tickAnswer(what, done: job.forgotten, left)
            }
        case .tokenExpiry:
            let (job, left) = (ExpireJob(ResetScope()), OldCount())
            return .job(JobPair(job, left)) { tickAnswer(what, done: job.count, left) }
        case .indexLag:
            return .respond(tickAnswer(what, done: store.catchUpIndex(count)), after: .zero)
        case .zoneDeletion:
            return .respond(tickAnswer(what, done: store.endLingering(count)), after: .zero)
        case .push:
            return .respond(tickAnswer(what, done: store.releasePushes(count)), after: .zero)
        case .zoneListLag:
            return .respond(
                tickAnswer(what, done: faults.pages.endZoneListLag(count, store)), after: .zero)
        }
    }

    private func tickAnswer(_ what: Tick, done: Int, _ left: OldCount = OldCount()) -> HTTPResponse
    {
        do throws(MockError) {
            let waiting = try waiting(for: what, left)
            return HTTPResponse.object { writer in
                writer.member("what", what.rawValue)
                writer.member("done", done)
                writer.member("waiting", waiting)
            }
        } catch {
            return HTTPResponse(error)
        }
    }

    private func waiting(for tick: Tick, _ old: OldCount) throws(MockError) -> Int {
        switch tick {
        case .defaultZoneCascade:
            try storing { () throws(MockStoreError) in try store.waitingCascades() }
        case .indexLag: store.laggingZones
        case .zoneListLag: faults.pages.listedDeletedZones(store)
        case .zoneDeletion: store.lingeringZones
        case .push: store.heldPushes
        case .tombstoneCompaction: old.tombstones
        case .tokenExpiry: old.databases
        }
    }
}
