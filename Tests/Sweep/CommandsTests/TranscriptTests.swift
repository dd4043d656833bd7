import CommandLine
import CommandWorld
import Commands
import Foundation
import Host
import Testing

/// What a person reads from the doctor to the proof, as a terminal of each width shows it: real runs at a
/// mock server, with times, digests and places masked by as many letters.
@Suite(.timeLimit(.minutes(10)))
struct TranscriptTests {
    private static let lost = [
        "records/modify -> ACCESS_DENIED", "subscriptions/modify -> ACCESS_DENIED",
    ]

    @Test(arguments: [(80, "never"), (80, "always"), (120, "never"), (200, "never")])
    func `what a person reads, from the doctor to the proof`(columns: Int, color: String)
        async throws
    {
        // As long as every other one: the layout depends on it.
        let folder = "/tmp/cks-" + UUID().uuidString.prefix(8).lowercased()
        try await SweepScene.run(at: folder) { scene in
            var transcript = Transcript(scene, columns: columns, color: color)
            try await transcript.say(["doctor"])
            try await transcript.say(["evidence", "init", "--rehearsal"])
            try await transcript.say(["plan", "-o", "ann.plan", "--json-into", "plan.jsonl"])
            try await transcript.say(["show", "ann.plan"])
            // Some of it is refused: what is left is told, and how to go on.
            for fault in Self.lost { #expect(await scene.mock("faults", fault) == 0) }
            let digest = try scene.digest("plan.jsonl")
            try await transcript.say(
                ["apply", "ann.plan", "--approve", digest, "--verify-pause", "1ms"])
            #expect(await scene.mock("faults", "--clear") == 0)
            try await transcript.say(["resume", "--verify-pause", "1ms"])
            try await transcript.say(["verify", "--verify-pause", "1ms"])
            try await transcript.say(["verify", "--verify-pause", "1ms", "-q"])
            try await transcript.say(["runs", "--rehearsal"])
            try await transcript.say(["report", "last"])
            try await transcript.say(["evidence", "key", "--rehearsal"])
            try await transcript.say(["sync", "status"])
            try await transcript.say(["apply", "ann.plan", "--approve", digest])
            for mistake in [
                ["apply", "bob.plan"], ["report", "2026"], ["plan", "--confg", "x"], ["swep"],
            ] {
                try await transcript.say(mistake)
            }
            let name = "transcript-\(columns)\(color == "always" ? "-colour" : "").txt"
            try Snapshot.check(transcript.text, name)
            let plain = transcript.text.replacing(#/\u{1B}\[[0-9]*m/#, with: "")
            for line in plain.split(separator: "\n") where !line.hasPrefix("$ ") {
                // A path that is longer stays whole.
                #expect(
                    line.count <= columns || !line.drop { $0 == " " }.contains(" "), "\(line)")
            }
            for (verb, said) in transcript.short { #expect(said <= 12, "\(verb): \(said) lines") }
        }
    }
}

/// Command lines and what they say.
private struct Transcript {
    private let scene: SweepScene
    private let columns: Int
    private let color: String
    private(set) var text = ""
    /// Lines that the verbs of a sweep have said.
    private(set) var short: [(verb: String, lines: Int)] = []

    init(_ scene: SweepScene, columns: Int, color: String) {
        self.scene = scene
        self.columns = columns
        self.color = color
    }

    mutating func say(_ words: [String]) async throws {
        let output = MemorySink()
        let errors = MemorySink()
        var environment = scene.world.environment(variables: scene.variables)
        environment.output = output
        environment.errors = errors
        // No live line: it would be somewhere else each time.
        environment.variables["TERM"] = "dumb"
        environment.terminal = Terminal(
            inputIsTerminal: false, outputIsTerminal: true, errorsIsTerminal: true,
            width: { [columns] in columns })
        environment.variables["XDG_STATE_HOME"] = scene.world.folder + "/state"
        let code = await Dispatcher.run(words + ["--color", color], in: environment).code
        let said = output.text + errors.text
        text += "$ cksweep \(words.joined(separator: " "))\n\(said)exit \(code)\n\n"
        text = masked(text)
        if ["plan", "apply", "resume", "verify", "report"].contains(words[0]), code != 2 {
            short.append((words[0], said.split(separator: "\n").count))
        }
    }

    /// With as many letters in place of what differs from run to run.
    private func masked(_ text: String) -> String {
        func same(_ letter: Character, _ part: Substring) -> String {
            String(repeating: letter, count: part.count)
        }
        return text.replacing(#/localhost:\d+/#, with: "localhost:PPPPP")
            .replacing(scene.world.folder, with: same("F", scene.world.folder[...]))
            .replacing(#/\d{8}T\d{6}Z-[0-9a-f]{8}/#) { same("R", $0.output) }
            .replacing(#/\b[0-9a-f]{12,64}\b/#) { same("d", $0.output) }
            .replacing(#/[\d,]+ MiB free/#, with: "SOME MiB free")
    }
}
