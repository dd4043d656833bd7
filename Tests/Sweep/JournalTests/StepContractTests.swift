import Journal
import Testing

struct StepContractTests {
    @Test(arguments: JournalKind.all, StepState.allCases)
    func `a step moves only where its state allows`(
        kind: JournalKind, to state: StepState
    ) async throws {
        for from in StepState.allCases {
            let journal = kind.open(Folder())
            let run = try await journal.begin(try start("one"), [.planLines([planLine(0)])])
            for step in path(to: from) {
                try await journal.write(
                    [.step(number: 0, to: step, outcome(for: step))], run: run.key)
            }
            do {
                try await journal.write(
                    [.step(number: 0, to: state, outcome(for: state))], run: run.key)
                #expect(from.next.contains(state), "\(from) became \(state)")
            } catch {
                #expect(!from.next.contains(state), "\(from) could not become \(state)")
                #expect(error.code == .illegalMove)
            }
        }
    }

    private func path(to state: StepState) -> [StepState] {
        switch state {
        case .planned: []
        case .intended: [.intended]
        case .acknowledged, .partlyFailed, .failed, .deferred: [.intended, state]
        case .verified: [.intended, .acknowledged, .verified]
        }
    }

    @Test(arguments: JournalKind.all)
    func `lines and steps come as they were written, a page at a time`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        let kept = PlanLineRow(number: 2, line: [7], step: nil)
        let lines = [planLine(0), planLine(1, scope: .public), kept, planLine(3)]
        let run = try await journal.begin(try start("one"), [.planLines(lines)]).key
        #expect(try await journal.planLines(run: run, from: 0, limit: 9) == lines)
        #expect(
            try await journal.planLines(run: run, from: 1, limit: 2) == Array(lines[1...2]))
        let steps = try await journal.steps(
            run: run, container: 0, scope: .private, from: 0, in: [.planned], limit: 9)
        #expect(steps.map(\.number) == [0, 3])
        #expect(steps.map(\.line) == [lines[0].line, lines[3].line])
        #expect(steps.allSatisfy { $0.outcome == StepOutcome(pending: 3) && $0.kind == .zone })
        let next = try await journal.steps(
            run: run, container: 0, scope: .private, from: 1, in: [.planned], limit: 9)
        #expect(next.map(\.number) == [3])
    }

    @Test(arguments: JournalKind.all)
    func `S7 an outcome takes the place of the one before, so that counts add up after resuming`(
        kind: JournalKind
    ) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        let run = try await journal.begin(
            try start("one"), [.planLines([planLine(0), planLine(1)])]
        ).key
        let first = StepOutcome(attempts: 2, items: [.deleted, .failed, .alreadyGone])
        let then = StepOutcome(attempts: 3, items: [.deleted, .deleted, .spared])
        for (state, outcome): (StepState, StepOutcome) in [
            (.intended, StepOutcome(pending: 3)), (.partlyFailed, first), (.intended, first),
            (.acknowledged, then),
        ] {
            try await journal.write(
                [.step(number: 0, to: state, outcome)], run: run)
            let step = try await kind.open(folder).steps(
                run: run, container: 0, scope: .private, from: 0, in: [state], limit: 1)[0]
            #expect(step.outcome == outcome)
        }
        let sums = try await journal.stepSums(run: run)
        #expect(sums.count == 1)
        #expect(sums[0].steps == 2 && sums[0].settledSteps == 1 && sums[0].attempts == 3)
        var counts = ItemCounts()
        counts.pending = 3
        counts.deleted = 2
        counts.spared = 1
        #expect(sums[0].items == counts)
    }

    @Test(arguments: JournalKind.all)
    func `steps that wait for others are read from disk like any other`(
        kind: JournalKind
    ) async throws {
        let folder = Folder()
        let journal = kind.open(folder)
        let run = try await journal.begin(
            try start("one"), [.planLines((0..<5).map { planLine($0) })]
        ).key
        let waiting = StepOutcome(attempts: 1, items: [.deleted, .deferred, .deferred])
        for number in [1, 3] {
            try await journal.write(
                [
                    .step(number: number, to: .intended, StepOutcome(pending: 3)),
                    .step(number: number, to: .deferred, waiting),
                ], run: run)
        }
        let steps = try await kind.open(folder).steps(
            run: run, container: 0, scope: .private, from: 0, in: [.deferred], limit: 9)
        #expect(steps.map(\.number) == [1, 3])
        #expect(steps.map(\.outcome) == [waiting, waiting])
        let sum = try await journal.stepSums(run: run)[0]
        #expect(sum.settledSteps == 0)
        #expect(sum.items.deferred == 4 && sum.items.deleted == 2 && sum.items.pending == 9)
    }

    @Test(arguments: JournalKind.all)
    func `a step is not settled with items that are not`(kind: JournalKind) async throws {
        let folder = Folder()
        let run = try await kind.open(folder).begin(
            try start("one"), [.planLines([planLine(0)])]
        ).key
        try await kind.open(folder).write(
            [.step(number: 0, to: .intended, StepOutcome(pending: 3))], run: run)
        let wrong: [(StepState, [ItemOutcome])] = [
            (.acknowledged, [.deleted, .deleted, .pending]),
            (.acknowledged, [.deleted, .failed, .deleted]),
            (.acknowledged, [.deleted, .deferred, .deleted]),
            (.acknowledged, [.deleted, .deleted]),
            (.acknowledged, [.deleted, .deleted, .deleted, .deleted]),
            (.partlyFailed, [.deleted, .deleted, .deleted]),
            (.partlyFailed, [.deleted, .failed, .pending]),
            (.failed, [.failed, .failed, .deleted]), (.deferred, [.deleted, .deleted, .failed]),
        ]
        for (state, items) in wrong {
            let error = await #expect(throws: JournalError.self, "\(state) \(items)") {
                try await kind.open(folder).write(
                    [.step(number: 0, to: state, StepOutcome(items: items))], run: run)
            }
            #expect(error?.code == .illegalMove)
        }
    }

    @Test(arguments: JournalKind.all)
    func `verification settles what was acknowledged and nothing else`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(
            try start("one"), [.planLines([planLine(0), planLine(1), planLine(2)])]
        ).key
        for (number, state) in [(0, StepState.acknowledged), (1, .failed)] {
            try await journal.write(
                [
                    .step(number: number, to: .intended, StepOutcome(pending: 3)),
                    .step(number: number, to: state, outcome(for: state)),
                ], run: run)
        }
        try await journal.write([.allVerified], run: run)
        let states = try await journal.steps(
            run: run, container: 0, scope: .private, from: 0, in: Set(StepState.allCases),
            limit: 9
        ).map(\.state)
        #expect(states == [.verified, .failed, .planned])
    }

    @Test(arguments: JournalKind.all)
    func `a dropped plan leaves no line and no step`(kind: JournalKind) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(try start("one"), [.planLines([planLine(0)])]).key
        try await journal.write([.dropPlan, .planLines([planLine(0, items: 1)])], run: run)
        #expect(try await journal.stepSums(run: run).map(\.items.pending) == [1])
    }

    @Test(arguments: JournalKind.all)
    func `failures are told once, counted, and dropped for a new try`(
        kind: JournalKind
    ) async throws {
        let journal = kind.open(Folder())
        let run = try await journal.begin(try start("one"), []).key
        let failures = (0..<3).map {
            FailureRow(
                container: 0, scope: .public, kind: "records", name: "\($0)", code: "C",
                reason: "r")
        }
        try await journal.write([.failures(failures), .failures([failures[1]])], run: run)
        let known = try await journal.failures(run: run, limit: 2)
        #expect(known.rows == Array(failures[0...1]) && known.count == 3)
        try await journal.write([.dropFailures], run: run)
        #expect(try await journal.failures(run: run, limit: 2).count == 0)
    }
}
