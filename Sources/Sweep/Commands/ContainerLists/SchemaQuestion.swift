import CloudCommandLine
import CloudModel
import CommandLine
import FileSystem

/// Asks somebody at a terminal for the schema of a container.
struct SchemaQuestion: Sendable {
    /// What was answered.
    enum Answer: Sendable, Hashable {
        case file(String)
        /// The container has no record types.
        case none
        /// They do not know, or nobody is there.
        case later
    }

    let console: Console

    private static let attemptsMax = 3

    /// Whether there is somebody who could answer.
    var canAsk: Bool {
        let terminal = console.environment.terminal
        return terminal.inputIsTerminal && terminal.errorsIsTerminal && !console.isQuiet
    }

    /// Asks until a file is named that is a schema, or something else is answered.
    func ask(of container: Container.ID) async -> Answer {
        let environment = console.environment
        environment.say(
            "Schema of \(container): a .ckdb file, \"none\" if it has no record types, or press "
                + "Return to add it later")
        for _ in 0..<Self.attemptsMax {
            environment.errors.write("> ")
            guard let line = await environment.input.line(within: PhraseQuestion.timeMax) else {
                environment.errors.write("\n")
                return .later
            }
            let typed = String(line.drop { $0.isWhitespace }.trimmingBlank)
            if typed.isEmpty { return .later }
            if typed == "none" { return .none }
            do throws(CommandFailure) {
                _ = try SchemaFile.read(typed, environment.files)
                return .file(typed)
            } catch {
                environment.say(Visible.text(error.message))
            }
        }
        return .later
    }
}
