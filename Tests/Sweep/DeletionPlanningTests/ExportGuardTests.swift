import Basics
import CloudModel
import DeletionPlanning
import Testing

/// A plan that was made with an export is good with that export only.
struct ExportGuardTests {
    private static let moment = Timestamp(milliseconds: 1_000_000)
    private static let server = ServerFacts(url: "https://localhost", isRehearsal: true)

    /// The refusal's code, or nil for a yes.
    private func ask(
        planned: String?, there: String?, _ approval: Approval = .digest("d")
    ) throws -> Refusal.Code? {
        let container = try #require(Container.ID("iCloud.com.example.one"))
        let subjects = [PlanFacts.Subject(container: container, userPseudonym: "u")]
        let facts = PlanFacts(
            toolVersion: "t", environment: .development, server: Self.server, subjects: subjects,
            scopes: [.private], created: Self.moment,
            expires: Self.moment.advanced(by: .seconds(3600)), nonce: "n", totals: PlanTotals(),
            export: planned, digest: "d")
        var circumstances = Circumstances(
            now: Self.moment, environment: .development, server: Self.server, subjects: subjects,
            scopes: [.private])
        circumstances.export = there
        do throws(Refusal) {
            let clearance = try Guard.authorize(facts, approval: approval, under: circumstances)
            _ = consume clearance
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `only the export that the plan was made with lets it be carried out`() throws {
        #expect(try ask(planned: nil, there: nil) == nil)
        #expect(try ask(planned: "a", there: "a") == nil)
        #expect(try ask(planned: "a", there: "b") == .otherExport)
        #expect(try ask(planned: "a", there: nil) == .otherExport)
        #expect(try ask(planned: nil, there: "a") == .otherExport)
    }

    @Test func `a run that has begun to delete goes on without it`() throws {
        #expect(try ask(planned: "a", there: nil, .resumed(digest: "d")) == nil)
    }
}
