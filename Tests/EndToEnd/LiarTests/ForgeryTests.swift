import CloudModel
import Foundation
import Journal
import Liar
import SQLite
import SweepEngine
import Testing

/// What somebody with access to files may lead to: a refusal, or less than was approved.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ForgeryTests {
    private let theatre: Theatre
    init() throws { theatre = try Theatre(Row(.apply, []).widened) }

    @Test(arguments: PlanForgery.all, [true, false])
    func `a changed plan is refused, and nothing is deleted`(
        forgery: PlanForgery, fitsDigest: Bool
    ) async throws {
        let file = try await theatre.writePlan().get()
        let before = try theatre.verdict()
        try forgery.forge(file, fitsDigest: fitsDigest)
        let report = await Sweep(theatre.request, in: theatre.world()).apply(
            planFile: file, on: theatre.databases(), confirm: Theatre.approve)
        #expect([.refused, .usage].contains(report.status), "\(report.explanation)")
        #expect(try theatre.close() == before)
    }

    @Test(arguments: JournalForgery.all)
    func `a changed journal destroys nothing, and proves nothing`(
        forgery: JournalForgery
    ) async throws {
        let run = try await theatre.beginRun().get()
        let before = try theatre.verdict()
        try forgery.forge(theatre.folder)
        let report = await Sweep(theatre.request, in: theatre.world()).resume(
            run: run, on: theatre.databases())
        let after = try theatre.close()
        #expect(after.destroyed == [])
        if report.status == .done { #expect(after.left == []) }
        guard forgery.mustStop else { return }
        #expect(report.status != .done, "\(report.explanation)")
        #expect(after.left == before.left, "it went on: \(report.explanation)")
    }

    @Test func `no changed column of the journal destroys anything, or proves what is not so`()
        async throws
    {
        _ = try await theatre.beginRun(.amongSteps).get()
        let all = try StateForgery.all(in: theatre.folder)
        _ = try theatre.close()
        #expect(all.count > 50)
        for forgery in Extent.some(all, name: { "\($0.table).\($0.column)" }) {
            let theatre = try Theatre(Row(.resume, []))
            let run = try await theatre.beginRun(.amongSteps).get()
            try forgery.forge(theatre.folder)
            let report = await Sweep(theatre.request, in: theatre.world()).resume(
                run: run, on: theatre.databases())
            let after = try theatre.close()
            let name = "\(forgery.table).\(forgery.column)"
            if Extent.talks { print("liar: \(report.status.rawValue) \(name)") }
            #expect(after.destroyed == [], "\(name): \(report.explanation)")
            if report.status == .done { #expect(after.left == [], "\(name)") }
        }
    }

    @Test(arguments: [
        "replace(CAST(report AS TEXT), '\"status\":6', '\"status\":0')",
        "substr(CAST(report AS TEXT), 1, instr(CAST(report AS TEXT), char(10)) - 1)",
        "(SELECT CAST(report AS TEXT) FROM reports ORDER BY run LIMIT 1)",
    ])
    func `a changed report is not shown`(change: String) async throws {
        // One that ends with everything gone, then one that does not.
        let sweep = Sweep(theatre.request, in: theatre.world())
        let first = await sweep.run(on: theatre.databases(), confirm: Theatre.approve)
        #expect(first.status == .done, "\(first.explanation)")
        try theatre.population.upstream.ask(
            .modifyZones, .private, of: Population.first, by: Population.person,
            ["operations": [Wish.zone("Album", "create")]])
        let second = await sweep.verify(run: nil, on: theatre.readableDatabases())
        #expect(second.status == .dataLeft, "\(second.explanation)")
        let run = try #require(second.runID)
        let history = SweepHistory(stateFolder: theatre.folder)
        #expect(try await history.report(run: run)?.status == .dataLeft)
        try Connection(.file(theatre.folder + "/journal.sqlite")).execute(
            """
            UPDATE reports SET report = CAST(\(change) AS BLOB)
            WHERE run = (SELECT max(run) FROM reports)
            """)
        await #expect(throws: JournalError.self) { try await history.report(run: run) }
        _ = try theatre.close()
    }

    @Test func `what stands in a file of evidence decides nothing`() async throws {
        let sweep = Sweep(theatre.request, in: theatre.world())
        let first = await sweep.run(on: theatre.databases(), confirm: Theatre.approve)
        let run = try #require(first.runID)
        let path = try #require(first.evidencePath)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\"exitStatus\":0"))
        let history = SweepHistory(stateFolder: theatre.folder)
        let before = try await history.report(run: run)?.json()
        for other in [text.replacing("\"exitStatus\":0", with: "\"exitStatus\":6"), "", "{}"] {
            try other.write(toFile: path, atomically: false, encoding: .utf8)
            #expect(try await history.report(run: run)?.json() == before)
            let verified = await sweep.verify(run: run, on: theatre.readableDatabases())
            #expect(verified.status == .done, "\(verified.explanation)")
        }
        _ = try theatre.close()
    }

    @Test func `a plan is used once`() async throws {
        let file = try await theatre.writePlan().get()
        let sweep = Sweep(theatre.request, in: theatre.world())
        let first = await sweep.apply(
            planFile: file, on: theatre.databases(), confirm: Theatre.approve)
        #expect(first.status == .done, "\(first.explanation)")
        try theatre.population.upstream.ask(
            .modifyZones, .private, of: Population.first, by: Population.person,
            ["operations": [Wish.zone("Album", "create")]])
        let second = await sweep.apply(
            planFile: file, on: theatre.databases(), confirm: Theatre.approve)
        #expect(second.status == .refused, "\(second.explanation)")
        #expect(try theatre.close().left.count == 1)
    }

    @Test func `a plan of another state folder is refused`() async throws {
        let elsewhere = try Theatre(Row(.apply, []).widened)
        let file = try await elsewhere.writePlan().get()
        let before = try theatre.verdict()
        let report = await Sweep(theatre.request, in: theatre.world()).apply(
            planFile: file, on: theatre.databases(), confirm: Theatre.approve)
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(try theatre.close() == before)
        _ = try elsewhere.close()
    }

    @Test func `a plan is not carried out for another person`() async throws {
        let file = try await theatre.writePlan().get()
        let before = try theatre.verdict()
        let report = await Sweep(theatre.request, in: theatre.world()).apply(
            planFile: file, on: theatre.databases(of: Population.other),
            confirm: Theatre.approve)
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(try theatre.close() == before)
    }

    @Test func `a run is not continued for another person`() async throws {
        let run = try await theatre.beginRun().get()
        let before = try theatre.verdict()
        let report = await Sweep(theatre.request, in: theatre.world()).resume(
            run: run, on: theatre.databases(of: Population.other))
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(try theatre.close() == before)
    }

    @Test func `a run is not verified for another person`() async throws {
        let run = try await theatre.beginRun().get()
        let report = await Sweep(theatre.request, in: theatre.world()).verify(
            run: run, on: theatre.readableDatabases(of: Population.other))
        #expect(report.status == .refused, "\(report.explanation)")
        _ = try theatre.close()
    }

    @Test func `a run is not continued at another server`() async throws {
        let run = try await theatre.beginRun().get()
        let before = try theatre.verdict()
        var world = theatre.world()
        world.server = ServerFacts(url: "https://elsewhere.example", isRehearsal: false)
        let report = await Sweep(theatre.request, in: world).resume(
            run: run, on: theatre.databases())
        #expect(report.status == .refused, "\(report.explanation)")
        #expect(try theatre.close() == before)
    }
}
