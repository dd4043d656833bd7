import CloudModel
import DeletionPlanning
import Journal

/// Takes fresh looks until nothing is left, so many times in a row.
struct VerificationStage: Sendable {
    /// The number under which rows of a look are kept while it lasts.
    static let pass = 2
    /// Zones asked about in one request.
    static let zonesPerRequest = 200

    let stage: PlanStage
    /// The run whose deleted zones must be gone; nil: none is known.
    let zonesOfRun: Int64?
    let courier: Courier
    let events: EventWriter
    let databases: ReadableDatabases
    let identities: [Container.ID: UserIdentity]
    let wallClock: WallClock
    let tell: @Sendable (SweepEvent) -> Void
    /// What could not be read before either, and was allowed not to be.
    let knownUnlisted: [CoverageRow]
    /// Where donations are, and what was decided about them; nil: none are known.
    let donations: (pass: DonationPass, findings: SweepRun.DonationFindings?)?

    private var journal: Journal { stage.journal }
    private var request: SweepRequest { stage.request }

    /// What one look found.
    struct Look: Sendable {
        var pass: VerificationPass
        var left: [RowKey: Int]
        /// What is said about rows with something left.
        var remarks: [RowKey: String]
        var inventory: Inventory
    }

    /// Looks once, at content, at everything in scope.
    func look(number: Int) async throws(SweepFailure) -> Look {
        let began = wallClock.now
        let requestsBefore = courier.progress.requests
        try await journal.keep([.forget(pass: Self.pass)], run: stage.run)
        let taker = InventoryTaker(
            request: request, courier: courier, journal: journal, run: stage.run,
            pass: Self.pass, databases: databases, tell: { _ in })
        async let listing = attempt { () async throws(SweepFailure) in
            try await taker.take(identities)
        }
        async let asking = attempt { () async throws(SweepFailure) in
            try await askForDeletedZones()
        }
        let answered = await asking
        var inventory = try await listing.get()
        let zones = try answered.get()
        inventory.unlisted += zones.unread
        let known = Set(knownUnlisted.map(\.place))
        inventory.unlisted.removeAll { known.contains($0.place) }
        var (left, _) = try await stage.leftover(pass: Self.pass)
        for (key, answering) in zones.answering {
            // A zone that is listed was counted there.
            left[key] = max(left[key] ?? 0, answering.count)
        }
        try await lookAtDonations(&left, &inventory)
        try await journal.keep([.forget(pass: Self.pass)], run: stage.run)
        let pass = VerificationPass(
            number: number, began: began, ended: wallClock.now,
            left: left.values.reduce(0, +), unread: inventory.unlisted.count,
            requests: courier.progress.requests - requestsBefore)
        try await journal.keep([.event(event(pass))], run: stage.run)
        tell(.passEnded(pass))
        return Look(
            pass: pass, left: left, remarks: zones.answering.mapValues(\.remark),
            inventory: inventory)
    }

    /// Counts the donations that should be gone.
    private func lookAtDonations(
        _ left: inout [RowKey: Int], _ inventory: inout Inventory
    ) async throws(SweepFailure) {
        guard let donations else { return }
        do throws(SweepFailure) {
            let rows = try await SweepRun.donationsLeft(donations.pass, donations.findings)
            for (index, count) in rows.enumerated() where count > 0 {
                left[RowKey(container: index, scope: .private, kind: .donations)] = count
            }
        } catch {
            guard case .donations(let reason) = error else { throw error }
            inventory.unlisted += SweepRun.unreadable(request, reason)
        }
    }

    private func event(_ pass: VerificationPass) -> [UInt8] {
        events.event(
            "verification",
            [
                ("began", .number(pass.began.milliseconds)), ("left", .number(Int64(pass.left))),
                (
                    "methods",
                    .list(
                        [
                            .text("zones/list"), .text("changes/database"),
                            .text("changes/zone"), .text("records/query"),
                            .text("subscriptions/list"),
                        ] + (donations == nil ? [] : [.text("donations linked")]))
                ),
                ("pass", .number(Int64(pass.number))),
                ("requests", .number(Int64(pass.requests))),
                ("unread", .number(Int64(pass.unread))),
            ])
    }

    // MARK: Deleted zones

    /// What deleted zones say when they are asked.
    private struct Asked: Sendable {
        struct Answering: Sendable {
            var count = 0
            var withRecords = 0
            var remark: String {
                withRecords > 0
                    ? "\(count) deleted zones answer again, \(withRecords) of them with records"
                    : "\(count) deleted zones answer again, without records so far"
            }
        }
        var answering: [RowKey: Answering] = [:]
        var unread: [CoverageRow] = []
    }

    /// Asks every zone that was deleted for its content: it must be gone, listed or not.
    private func askForDeletedZones() async throws(SweepFailure) -> Asked {
        guard let zonesOfRun, request.scopes.contains(.private) else { return Asked() }
        let results = await withTaskGroup(of: Result<Asked, SweepFailure>.self) { group in
            for index in request.targets.indices {
                group.addTask {
                    await attempt { () async throws(SweepFailure) in
                        try await askForDeletedZones(of: index, zonesOfRun)
                    }
                }
            }
            var results: [Result<Asked, SweepFailure>] = []
            for await result in group { results.append(result) }
            return results
        }
        var all = Asked()
        for result in results {
            let asked = try result.get()
            all.answering.merge(asked.answering) { $1 }
            all.unread += asked.unread
        }
        return all
    }

    private func askForDeletedZones(
        of index: Int, _ run: Int64
    ) async throws(SweepFailure) -> Asked {
        var asked = Asked()
        var next = 0
        var names: [String] = []
        while true {
            let page: [StepRow]
            do throws(JournalError) {
                page = try await journal.steps(
                    run: run, container: index, scope: Database.Scope.private.number, from: next,
                    in: Set(StepState.allCases), limit: 20)
            } catch {
                throw .journal(error)
            }
            for row in page where row.kind == SeenKind.zone.rawValue {
                guard let line = try? PlanLine(row.line, line: row.number + 1),
                    case .item(.step(let step), _) = line, case .zones(let zones) = step.work
                else {
                    throw .journal(
                        JournalError(.corrupt, "step \(row.number) of the plan is damaged"))
                }
                names += zones.map(\.zoneName)
            }
            while names.count >= Self.zonesPerRequest || (page.isEmpty && !names.isEmpty) {
                try await ask(Array(names.prefix(Self.zonesPerRequest)), index, &asked)
                names.removeFirst(min(Self.zonesPerRequest, names.count))
            }
            guard let last = page.last else { return asked }
            next = last.number + 1
        }
    }

    private func ask(
        _ names: [String], _ index: Int, _ asked: inout Asked
    ) async throws(SweepFailure) {
        let container = request.targets[index].container
        let key = RowKey(container: index, scope: .private, kind: .customZones)
        var unread = CoverageRow(
            container: container, scope: .private, kind: .customZones, outcome: .unreachable)
        let database = databases(
            Database.Address(
                container: container, environment: request.environment, scope: .private))
        var pending = names
        var size = names.count
        var rounds = 0
        while !pending.isEmpty {
            let batch = Array(pending.prefix(size))
            let command = CloudCommand.zoneChanges(
                batch.map {
                    ZoneChangesRequest(zoneID: RecordZone.ID($0), limit: 1, desiredKeys: [])
                })
            do throws(SweepFailure) {
                guard case .zoneChanges(let items) = try await courier.read(command, from: database)
                else { throw .refused(.wrongReply(to: command)) }
                var unanswered = Set(batch)
                for item in items {
                    switch item {
                    case .page(let page):
                        guard unanswered.remove(page.zoneID.zoneName) != nil else { continue }
                        asked.answering[key, default: Asked.Answering()].count += 1
                        if page.records.contains(where: {
                            if case .record = $0 { true } else { false }
                        }) {
                            asked.answering[key]?.withRecords += 1
                        }
                    case .failure(let id, let error) where error.code == .zoneNotFound:
                        unanswered.remove(id.zoneName)
                    case .failure(_, let error):
                        unread.reason = "changes/zone: \(error.code.rawValue)"
                    }
                }
                pending.removeFirst(batch.count)
                pending += batch.filter { unanswered.contains($0) }
                rounds += 1
                if !unanswered.isEmpty && rounds >= request.limits.attemptsMax {
                    unread.reason = unread.reason ?? "changes/zone: zones without an answer"
                    asked.unread.append(unread)
                    return
                }
            } catch {
                guard case .refused(let cloudError) = error else { throw error }
                let canHalve = ErrorPolicy.decision(for: cloudError.code) == .halve
                if canHalve && batch.count > 1 {
                    size = max(1, batch.count / 2)
                    continue
                }
                unread.reason = "changes/zone: \(cloudError.code.rawValue)"
                asked.unread.append(unread)
                return
            }
        }
    }
}
