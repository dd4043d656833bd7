import AsyncOperations
import Basics
import CloudCourier
import Liar
import SweepEngine

/// One row carried out.
struct Trial: Sendable {
    /// What came of it.
    struct Result: Sendable {
        let row: Row
        /// nil: it did not end.
        var status: Basics.ExitStatus?
        var explanation: String
        /// What the report says of each place; empty: there is no report.
        var rows: [CoverageRow]
        var verdict: Oracle.Verdict
        var hasLied: Bool
        var requests: Int
        var took: Duration
    }

    /// Longer than any run needs, however busy the machine is.
    static let limit: Duration = .seconds(300)

    private let row: Row
    private let theatre: Theatre

    init(_ row: Row) throws {
        self.row = row
        theatre = try Theatre(row)
    }

    /// Carries the row out; a run that does not end is given up, and has no status.
    func result() async throws -> Result {
        let began = ContinuousClock.now
        let (ends, end) = AsyncThrowingStream.makeStream(of: SweepReport?.self)
        let stop = StopSignal()
        let run = Task {
            do {
                end.yield(try await conduct(stop))
            } catch {
                end.finish(throwing: error)
            }
        }
        let alarm = Task {
            try await ContinuousClock().sleep(for: Self.limit)
            end.yield(nil)
        }
        var reports = ends.makeAsyncIterator()
        let report = try await reports.next() ?? nil
        alarm.cancel()
        if report == nil {
            stop.request(.terminate)
            run.cancel()
        }
        return Result(
            row: row, status: report?.status, explanation: report?.explanation ?? "it hangs",
            rows: report?.rows ?? [], verdict: try theatre.close(), hasLied: theatre.liar.hasLied,
            requests: theatre.liar.requests, took: ContinuousClock.now - began)
    }

    /// What comes before a plan is applied or a run is continued is honest.
    private func conduct(_ stop: StopSignal) async throws -> SweepReport {
        let sweep = Sweep(theatre.request, in: theatre.world(stop, tells: true))
        switch row.verb {
        case .plan:
            theatre.liar.arm()
            return await sweep.plan(on: theatre.readableDatabases())
        case .verify:
            theatre.liar.arm()
            return await sweep.verify(run: nil, on: theatre.readableDatabases())
        case .sweep:
            theatre.liar.arm()
            return await sweep.run(on: theatre.databases(), confirm: Theatre.approve)
        case .apply:
            switch try await theatre.writePlan() {
            case .ended(let report): return report
            case .ready(let file):
                theatre.liar.arm()
                return await sweep.apply(
                    planFile: file, on: theatre.databases(), confirm: Theatre.approve)
            }
        case .resume:
            switch await theatre.beginRun() {
            case .ended(let report): return report
            case .ready(let run):
                theatre.liar.arm()
                return await sweep.resume(run: run, on: theatre.databases())
            }
        }
    }
}
