import Basics

/// Finds the verb, carries it out, and says what went wrong.
package enum Dispatcher {
    /// What the process exits with: one of ours, or that of a program that the verb ran.
    package struct Outcome: Sendable, Hashable {
        package let code: Int32
    }

    /// Carries out an argument list.
    package static func run(_ words: [String], in environment: Environment) async -> Outcome {
        var environment = environment
        environment.outlet = Outlet()
        var code: Int32
        do throws(CommandFailure) {
            code = try await dispatch(words, in: environment).code
        } catch {
            tell(error, words, environment)
            code = error.status.rawValue
        }
        for problem in environment.outlet.end() {
            environment.say("\(environment.program.name): \(Visible.text(problem))")
            // What was asked for is not all there.
            if code == ExitStatus.done.rawValue { code = ExitStatus.internalError.rawValue }
        }
        return Outcome(code: code)
    }

    private static func dispatch(
        _ typed: [String], in environment: Environment
    ) async throws(CommandFailure) -> Outcome {
        let program = environment.program
        var words = typed
        // What another program gets, it completes itself.
        if words.count > 2, words[0] == Completions.verbName,
            program.verbs.contains(where: { $0.name == words[1] && $0.handsOn })
        {
            words.swapAt(0, 1)
        }
        if words == ["--version"] {
            environment.output.write("\(program.name) \(program.version)\n")
            return Outcome(code: 0)
        }
        if words.isEmpty {
            environment.errors.write(HelpText.overview(of: program))
            return Outcome(code: ExitStatus.usage.rawValue)
        }
        if words == ["--help"] || words == ["-h"] {
            environment.output.write(HelpText.overview(of: program))
            return Outcome(code: 0)
        }
        if words[0] == Completions.verbName {
            let typed = Array(words.dropFirst())
            let completions = Completions(verbs: program.verbs)
            environment.output.write(
                await completions.answer(to: typed) { kind in
                    await program.names(kind, typed, environment)
                })
            return Outcome(code: 0)
        }
        // "evidence --help" asks about all that begin so; where the word is a verb of its own it has a page.
        if words.count == 2, ["--help", "-h"].contains(words[1]),
            !program.verbs.contains(where: { $0.name == words[0] }),
            program.verbs.contains(where: { $0.words[0] == words[0] })
        {
            environment.output.write(HelpText.index(of: words[0], in: program))
            return Outcome(code: 0)
        }
        let command: any Command
        do throws(UsageError) {
            let (type, count) = try program.find(words)
            let arguments = try ArgumentScanner.scan(
                Array(words.dropFirst(count)), for: type.verb, of: program.name)
            if arguments.has(CommonOptions.help) {
                environment.output.write(HelpText.page(for: type.verb, of: program))
                return Outcome(code: 0)
            }
            command = try type.init(arguments: arguments)
        } catch {
            throw CommandFailure(error)
        }
        return Outcome(code: try await command.run(in: environment).rawValue)
    }

    private static func tell(
        _ failure: CommandFailure, _ words: [String], _ environment: Environment
    ) {
        environment.say("\(environment.program.name): \(Visible.text(failure.message))")
        if let remedy = failure.remedy { environment.say("  \(Visible.text(remedy))") }
        guard words.contains("--json") else { return }
        let event = Event(
            "error",
            [
                .init("status", Int(failure.status.rawValue)), .init("message", failure.message),
                .init("remedy", failure.remedy),
            ])
        let server = environment.outlet.rehearsal
        environment.output.write(event.line(at: environment.wallClock.now, rehearsalAt: server))
    }
}
