import CloudCourier
import CloudModel
import Foundation
import Liar
import SweepEngine
import Testing

/// What somebody with access to files may lead to: a refusal, or less than was approved.
@Suite(.enabled(if: Switch.isOn), .serialized, .timeLimit(.minutes(10)))
struct ForgeryTests {
    private let theatre: Theatre
    init() throws { theatre = try Theatre(Row(.apply, [])) }

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

    @Test func `a plan is used once`() async throws {
        let file = try await theatre.writePlan().get()
        let sweep = Sweep(theatre.request, in: theatre.world())
        let first = await sweep.apply(
            planFile: file, on: theatre.databases(), confirm: Theatre.approve)
        #expect(first.status == .done, "\(first.explanation)")
        try theatre.population.upstream.ask(
            .modifyZones, .private, of: Population.swept[0], by: Population.person,
            ["operations": [Wish.zone("Album", "create")]])
        let second = await sweep.apply(
            planFile: file, on: theatre.databases(), confirm: Theatre.approve)
        #expect(second.status == .refused, "\(second.explanation)")
        #expect(try theatre.close().left.count == 1)
    }

    @Test func `a plan of another state folder is refused`() async throws {
        let elsewhere = try Theatre(Row(.apply, []))
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
