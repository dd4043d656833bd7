import CommandLine
import DeletionPlanning
import Evidence
import FileSystem
import SweepEngine

/// Puts somebody's signature beside a plan.
struct PlanSignCommand: Command {
    private static let key = Option(
        "key", value: .file, isNeeded: true,
        "your Ed25519 private key in PEM, a file that only you can read (mode 0600)")

    static let verb = Verb(
        "plan sign", "approve a plan with your key",
        discussion: [
            "Signs the digest of the whole plan: read it with \"show\" first. The signature is "
                + "written to PLAN.approvals, which belongs to the plan; a plan changed in one byte "
                + "has no valid signature. \"apply\" counts the signatures by the keys that the "
                + "list names under \"approvers\", and requires as many as \"approvals\" says.",
            "To create a key: openssl genpkey -algorithm ed25519 -out me.pem. For the list, use "
                + "the middle line of its public half: openssl pkey -in me.pem -pubout.",
        ],
        positionals: [PlanArgument.positional], options: [key] + CommonOptions.output,
        examples: [.init("cksweep plan sign app.plan --key ada.pem", "a second pair of eyes")])
    private let arguments: Arguments
    private let plan: String

    init(arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        plan = arguments.positionals.first ?? ""
    }

    func run(in environment: Environment) async throws(CommandFailure) -> VerbResult {
        let console = try Console(arguments, in: environment)
        let facts = try PlanArgument.read(plan, in: environment)
        console.begin(at: facts.server)
        let now = environment.wallClock.now
        guard now < facts.expires else {
            throw CommandFailure(.refused, "the plan expired at \(facts.expires.iso8601)")
        }
        let file = PlanApprovalFile(plan: plan, files: environment.files)
        let approvals = try file.read()
        let key = try signingKey(environment)
        do throws(EvidenceError) {
            try file.write(approvals.adding(key, to: PlanApproval.Plan(facts), at: now))
        } catch {
            throw CommandFailure(.refused, error.reason)
        }
        console.event(
            Event(
                "plan_signed",
                [
                    .init("plan", facts.digest), .init("key", key.verifying.id),
                    .init("approvals", file.path),
                ]))
        console.result([
            "SIGNED: \(Counts.text(facts.totals, recordsInZones: nil)), with the key \(key.verifying.shortID); "
                + "\(Counts.some(approvals.count + 1, "signature")) in \(file.path)"
        ])
        return .done
    }

    private func signingKey(
        _ environment: Environment
    ) throws(CommandFailure) -> SigningKey {
        let path = arguments.text(Self.key) ?? ""
        do throws(EvidenceError) {
            if let key = try SigningKey.read(path, in: environment.files) { return key }
        } catch {
            throw CommandFailure(.usage, error.reason)
        }
        throw CommandFailure(.usage, "the key \(path) does not exist")
    }
}
