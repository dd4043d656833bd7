import HTTPServer
import JSON

extension MockApplication {
    /// What waits for each tick.
    func listTicks() throws(AdminError) -> RequestOutcome {
        let count = OldCount()
        return .job(count) { [self] in
            do throws(AdminError) {
                let all = try Tick.allCases.map { tick throws(AdminError) in
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

    /// Does what waits, or so much of it.
    func tick(_ what: Tick, count: Int?) throws(AdminError) -> RequestOutcome {
        guard count == nil || what.canBeCounted else {
            throw AdminError("\(what.rawValue) runs as a whole; omit \"count\"")
        }
        switch what {
        case .defaultZoneCascade:
            let job = CascadeJob(count: count)
            return .job(job) { [self] in tickAnswer(what, done: job.done) }
        case .tombstoneCompaction:
            let (job, left) = (CompactJob(), OldCount())
            return .job(JobPair(job, left)) { [self] in tickAnswer(what, done: job.forgotten, left)
            }
        case .tokenExpiry:
            let (job, left) = (ExpireJob(ResetScope()), OldCount())
            return .job(JobPair(job, left)) { [self] in tickAnswer(what, done: job.count, left) }
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
        do throws(AdminError) {
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

    private func waiting(for tick: Tick, _ old: OldCount) throws(AdminError) -> Int {
        switch tick {
        case .defaultZoneCascade:
            try storing { () throws(MockStoreError) in try store.waitingCascades() }
        case .indexLag: store.laggingZones
        case .zoneListLag: faults.pages.listedGoneZones(store)
        case .zoneDeletion: store.lingeringZones
        case .push: store.heldPushes
        case .tombstoneCompaction: old.tombstones
        case .tokenExpiry: old.databases
        }
    }
}
