import AsyncOperations
import CommandWorld
import Commands
import Foundation
import Testing

/// A sign-in that ends in the middle of a run.
@Suite(.timeLimit(.minutes(30)))
struct SignInAgainTests {
    /// Somebody at a terminal, whose sign-in ends while they type the phrase.
    private final class Person: Sendable {
        let scene: SweepScene
        /// What they answer when they are asked to sign in again; nil: nothing.
        let answer: @Sendable () async -> String?
        let questions = Locked(0)

        init(_ scene: SweepScene, answer: @escaping @Sendable () async -> String?) {
            self.scene = scene
            self.answer = answer
        }

        var input: ActingInput {
            ActingInput { [self] _ in
                let number = questions.withLock { number in
                    number += 1
                    return number
                }
                guard number == 1 else { return await answer() }
                _ = await scene.mock("simulate", "expire-web-tokens", "--user", "ann")
                return SweepVerbTests.phrase
            }
        }
    }

    /// The text of a new web token.
    @Sendable private static func token(of user: String, _ scene: SweepScene) async -> String? {
        let world = try? TestWorld()
        let state = ["--state", "\(scene.server.folder)/state"]
        let words = ["credentials", "add", "web-token", "--user", user]
        guard let world, await world.mock(words + state) == 0 else { return nil }
        return world.output.text
    }

    private func sweep(
        _ scene: SweepScene, _ person: Person
    ) async throws -> (code: Int32, output: String, errors: String) {
        try scene.world.put(scene.variables["WEB"] ?? "", at: "web", mode: 0o600)
        return try await scene.cksweep(
            "sweep", "--verify-pause", "1ms", input: person.input, isTerminal: true)
    }

    private static let fromFile: @Sendable (String) -> String = {
        $0.replacingOccurrences(of: "env:WEB", with: "file:web")
    }

    @Test(arguments: [false, true])
    func `the same person signs in again, and the run goes on to its proof`(
        isStrict: Bool
    ) async throws {
        let options = isStrict ? ["--strict-tokens"] : []
        try await SweepScene.run(list: Self.fromFile, server: options) { scene in
            let person = Person(scene) { await Self.token(of: "ann", scene) }
            let swept = try await sweep(scene, person)
            #expect(swept.code == 0, "\(swept.output)\(swept.errors)")
            #expect(swept.errors.contains("has expired. To continue, sign in again"))
            // Once for all that waited.
            #expect(person.questions.withLock { $0 } == 2)
            // The new one is kept as the old one was.
            #expect(try await scene.cksweep("verify", "last", "--verify-pause", "1ms").code == 0)
        }
    }

    @Test func `another person is refused, and nothing of theirs is touched`() async throws {
        try await SweepScene.run(list: Self.fromFile) { scene in
            let person = Person(scene) { await Self.token(of: "bob", scene) }
            let swept = try await sweep(scene, person)
            #expect(swept.code == 3, "\(swept.output)\(swept.errors)")
            #expect(swept.output.contains("another user has signed in"), "\(swept.output)")
            #expect(person.questions.withLock { $0 } == 2)
            try scene.world.put(scene.variables["BOB"] ?? "", at: "web", mode: 0o600)
            let bob = try await scene.cksweep("plan", "--detailed-exitcode")
            #expect(bob.code == 10, "\(bob.output)")
        }
    }

    @Test func `who does not answer is not asked again, and nothing is deleted`() async throws {
        try await SweepScene.run(list: Self.fromFile) { scene in
            let person = Person(scene) { nil }
            let swept = try await sweep(scene, person)
            #expect([4, 7].contains(swept.code), "\(swept.output)\(swept.errors)")
            #expect(person.questions.withLock { $0 } == 2)
            let token = try #require(await Self.token(of: "ann", scene))
            try scene.world.put(token, at: "web", mode: 0o600)
            #expect(try await scene.cksweep("plan", "--detailed-exitcode").code == 10)
        }
    }

    @Test func `without a terminal the line that resumes is printed, and resumes`() async throws {
        try await SweepScene.run(list: Self.fromFile) { scene in
            try scene.world.put(scene.variables["WEB"] ?? "", at: "web", mode: 0o600)
            #expect(try await scene.cksweep("plan", "-o", "p", "--json-into", "p.jsonl").code == 0)
            // The sign-in ends once deleting has begun.
            #expect(await scene.mock("faults", "zones/modify -> AUTHENTICATION_REQUIRED") == 0)
            let cut = try await scene.cksweep("apply", "p", "--approve", scene.digest("p.jsonl"))
            #expect(cut.code == 7, "\(cut.output)\(cut.errors)")
            let run = try #require(
                cut.errors.firstMatch(of: #/To continue: cksweep resume ([-0-9A-Za-z]+)/#)?.1,
                "\(cut.errors)")
            #expect(await scene.mock("faults", "--clear") == 0)
            let done = try await scene.cksweep("resume", String(run), "--verify-pause", "1ms")
            #expect(done.code == 0, "\(done.output)\(done.errors)")
        }
    }
}
