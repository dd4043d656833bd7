import Basics
import CloudCommandLine
import CommandLine
import Configuration
import DeletionPlanning
import Evidence
import OpenSSL
import SweepEngine

/// Says who has signed a plan, and who has not.
struct PlanApprovalsCommand: Command {
    static let verb = Verb(
        "plan approvals", "list who has signed a plan",
        discussion: [
            "Checks the signatures next to the plan against the keys of the container list, as "
                + "\"apply\" does: exit 0 if there are as many as the list requires, 3 if not. "
                + "Sends no request."
        ],
        positionals: [PlanArgument.positional],
        options: [CommonOptions.config] + CommonOptions.output,
        examples: [.init("cksweep plan approvals app.plan", "who is missing?")])
    private let arguments: Arguments
    private let plan: String

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        plan = arguments.positionals.first ?? ""
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let list = try ContainerList.read(arguments, in: environment)
        let facts = try PlanArgument.read(plan, in: environment)
        console.begin(at: facts.server)
        let rule = list.approvals
        let file = PlanApprovalFile(plan: plan, files: environment.files)
        let approvals = try file.read()
        let counting: [PlanApproval]
        do throws(OpenSSLError) {
            counting = approvals.of(
                PlanApproval.Plan(facts), by: try rule.keys(), at: environment.wallClock.now,
                skew: Guard.clockSkewMax)
        } catch {
            throw CommandFailure(.usage, "an approver's key is invalid: \(error.reason)")
        }
        var table = TextTable()
        for approver in rule.approvers {
            let approval = counting.first { Hexadecimal.encode($0.key.key.bytes) == approver.key }
            table.add([
                .init(approver.name),
                approval.map { .init("signed \($0.signedAt.iso8601)", .good) }
                    ?? .init("has not signed", .caution),
            ])
            console.event(
                Event(
                    "approver",
                    [
                        .init("name", approver.name), .init("plan", facts.digest),
                        .init("signed", approval?.signedAt.iso8601),
                        .init("key", approval?.key.id),
                    ]))
        }
        let lines = table.lines(console.style)
        let others = approvals.count - counting.count
        let rest = others > 0 ? "; \(Counts.some(others, "signature")) not accepted" : ""
        console.result(
            (lines + ["\(counting.count) of \(rule.count) approvals\(rest)"])
                .joined(separator: "\n"))
        return counting.count >= rule.count ? .done : .status(.refused)
    }
}
