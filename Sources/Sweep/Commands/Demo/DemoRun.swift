import Basics
import CommandLine
import Evidence
import FileSystem
import JSON

/// One demonstration, from a server's start to the look at what is left on it.
struct DemoRun: Sendable {
    private let console: Console
    private let environment: Environment
    private let narrator: DemoNarrator
    private let folder: String
    private let server: DemoServer
    /// Output options that are handed on to the verbs.
    private let handedOn: [String]

    /// - Parameter console: With the variables that lead to the server.
    init(
        _ console: Console, folder: String, handedOn: [String]
    ) throws(CommandFailure) {
        self.console = console
        self.folder = folder
        self.handedOn = handedOn
        narrator = DemoNarrator(console)
        server = try DemoServer(in: console.environment)
        var environment = console.environment
        environment.files = Files(workingFolder: folder)
        // The verbs find the server in their list.
        for name in environment.variables.keys where name.hasPrefix("CLOUDKIT_EMULATOR_") {
            environment.variables[name] = nil
        }
        environment.variables[DemoScript.apiTokenVariable] = server.apiToken
        environment.variables[DemoScript.webTokenVariable] =
            try server.webToken(of: DemoScript.subject)
        self.environment = environment
    }

    /// Runs all steps.
    ///
    /// - Returns: `done` only when the server holds nothing of the one and all of the other.
    func run() async throws(CommandFailure) -> ExitStatus {
        narrator.step(
            1, "A local CloudKit server",
            "The mock server, cloudkit-mock, implements CloudKit Web Services over TLS. Two "
                + "users, Ann and Bob, use an app with three containers."
        )
        narrator.say("ready \(server.url) ca \(server.authorityFile)")
        try writeList()
        try makeKey()
        narrator.say("")
        let witness = DemoWitness(environment, server)
        let before = try await witness.look()
        narrator.storage(before)
        let donations = try DemoDonations(
            stateFolder: folder + "/state/rehearsal", clock: environment.wallClock)
        try await donations.donate(at: environment.wallClock.now)
        let donated = try await donations.count()
        narrator.say("")
        narrator.tell(
            "On Ann's device the app donated her actions to Siri and Spotlight: "
                + "\(donated.swept) donations about these containers, \(donated.others) about "
                + "another app's.")

        let (plan, digest) = try await makePlan()
        try await setFaults()
        let code = try await apply(plan, digest)
        guard code == ExitStatus.done.rawValue else {
            throw CommandFailure(
                ExitStatus(rawValue: code) ?? .internalError,
                "the demo's sweep ended with \(code), expected 0")
        }
        narrator.step(
            5, "The record of the run",
            "Every run is stored in a journal; \"cksweep report last\" prints the report again.")
        _ = await cksweep(["runs", "--rehearsal"], hidden: [])
        let left = try await donations.count()
        await donations.close()
        let status = judge(
            before, try await witness.look(), donationsLeft: left.swept,
            otherDonationsAreThere: left.others == donated.others)
        narrator.next(DemoScript.nextSteps, after: DemoScript.pathLine(in: console.environment))
        return status
    }

    private func writeList() throws(CommandFailure) {
        do throws(FileError) {
            try environment.files.write(
                DemoScript.list(url: server.url, authorityFile: server.authorityFile),
                to: "containers.json", replacing: true)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The key that signs the evidence, as "evidence init" makes it.
    private func makeKey() throws(CommandFailure) {
        do throws(EvidenceError) {
            _ = try KeyFolder(stateFolder: folder + "/state/rehearsal").make()
        } catch {
            throw CommandFailure(.internalError, error.reason)
        }
    }

    private func makePlan() async throws(CommandFailure) -> (path: String, digest: String) {
        narrator.step(
            2, "What a sweep would delete",
            "Ann asks for her data to be deleted. First a plan: everything is scanned, nothing "
                + "is changed. The client used here cannot send a modifying request.")
        let (list, plan, events) = ("containers.json", "ann.plan", "plan.jsonl")
        let code = await cksweep(
            ["plan", "-c", list, "-o", plan], hidden: ["--json-into", events])
        guard code == 0, let digest = digest(in: events) else {
            let status = code == 0 ? .internalError : ExitStatus(rawValue: code) ?? .internalError
            throw CommandFailure(status, "the demo's plan ended with \(code)")
        }
        return (plan, digest)
    }

    private func setFaults() async throws(CommandFailure) {
        narrator.step(
            3, "Faults",
            "Real services are busy and lose responses. These faults are active now:")
        _ = try await mock(["faults"] + DemoScript.faults.map(\.rule))
        var table = TextTable(indent: 2)
        for fault in DemoScript.faults {
            table.add([.init(fault.rule, .caution), .init(fault.shows)])
        }
        for line in table.lines(console.style) { narrator.say(line) }
    }

    private func apply(_ plan: String, _ digest: String) async throws(CommandFailure) -> Int32 {
        narrator.step(
            4, "The deletion",
            "The plan is approved by its digest, as in automation; an operator would type a "
                + "phrase instead. Deletions go through the operation queue. Then everything is "
                + "scanned again until two consecutive passes find nothing.")
        let code = await cksweep(
            [
                "apply", plan, "-c", "containers.json", "--approve", digest,
                "--verify-pause", "1s",
            ], hidden: [])
        narrator.say("")
        var table = TextTable(indent: 2)
        for fault in try await mock(["faults"]) {
            let fired = Int(fault.value["fired"]?.int64 ?? 0)
            table.add([
                .init(fault.value["rule"]?.string ?? ""),
                .init("happened \(fired)×", fired > 0 ? .good : .bad),
            ])
        }
        for line in table.lines(console.style) { narrator.say(line) }
        _ = try await server.run(["faults", "--clear", "--quiet"])
        return code
    }

    private func judge(
        _ before: [DemoStorage], _ after: [DemoStorage], donationsLeft: Int,
        otherDonationsAreThere: Bool
    ) -> ExitStatus {
        narrator.step(
            6, "What is left",
            "This is read by the server's own program and from the donation store, not through "
                + "the client.")
        narrator.storage(after)
        func bystander(_ stored: [DemoStorage]) -> [DemoStorage] {
            stored.filter { $0.user == DemoScript.bystander }
        }
        let left = after.filter { $0.user == DemoScript.subject }
        let isGone = left.allSatisfy { $0.isEmpty } && donationsLeft == 0
        let isUntouched = !bystander(after).isEmpty && bystander(after) == bystander(before)
        narrator.say("")
        verdict(
            isGone, "nothing of Ann's data is left, and no donation refers to it",
            "some of Ann's data is left")
        verdict(
            isUntouched, "Bob's data is unchanged in every field", "Bob's data was changed")
        verdict(
            otherDonationsAreThere, "the other app's donation is still there",
            "the other app's donation is missing")
        console.event(
            Event(
                "demo_ended",
                [.init("subjectGone", isGone), .init("bystanderUntouched", isUntouched)]))
        return isGone && isUntouched && otherDonationsAreThere ? .done : .dataLeft
    }

    private func verdict(_ isGood: Bool, _ good: String, _ bad: String) {
        let text = isGood ? "  ✓ \(good)" : "  ✗ \(bad)"
        narrator.say(console.style.text(text, isGood ? .good : .bad))
    }

    /// Carries out a command line as the program would, in the demonstration's environment.
    private func cksweep(_ words: [String], hidden: [String]) async -> Int32 {
        let shown = words + ["--state", "state"]
        narrator.command(["cksweep"] + shown)
        return await Dispatcher.run(shown + hidden + handedOn, in: environment).code
    }

    /// Runs a verb of the mock server's program; its events.
    private func mock(_ words: [String]) async throws(CommandFailure) -> [DemoServer.Line] {
        narrator.command([MockCommand.program] + words)
        return try await server.run(words + ["--json"])
    }

    /// The plan's digest in a file of events.
    private func digest(in path: String) -> String? {
        guard let bytes = try? environment.files.read(path) else { return nil }
        for line in bytes.split(separator: UInt8(ascii: "\n")).reversed() {
            guard let event = try? JSONDocument.parse(Array(line)) else { continue }
            if let digest = event.root["plan"]?["digest"]?.string { return digest }
            if event.root["event"]?.string == "planned" { return event.root["digest"]?.string }
        }
        return nil
    }
}
