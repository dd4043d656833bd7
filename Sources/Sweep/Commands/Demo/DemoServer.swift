import CommandLine
import Configuration
import FileSystem
import Host
import JSON

/// The mock server of the demonstration: `cloudkit-mock exec` started it and set the variables that lead to it.
struct DemoServer: Sendable {
    /// A line of JSON that the program printed.
    typealias Line = (text: String, value: JSONValue)

    let url: String
    let authorityFile: String
    let apiToken: String
    private let program: String
    private let environment: Environment

    private static let outputBytesMax = 16 << 20
    private static let timeMax: Duration = .seconds(60)

    /// - Parameter environment: With the variables that lead to the server.
    init(in environment: Environment) throws(CommandFailure) {
        self.environment = environment
        program = try MockCommand.file(in: environment)
        url = try Self.variable(ServerChoice.urlVariable, environment)
        authorityFile = try Self.variable(ServerChoice.authorityVariable, environment)
        apiToken = try Self.variable(ServerChoice.apiTokenVariable, environment)
    }

    /// What a user is signed in with.
    func webToken(of user: String) throws(CommandFailure) -> String {
        try Self.variable(ServerChoice.webTokenVariable(of: user), environment)
    }

    private static func variable(
        _ name: String, _ environment: Environment
    ) throws(CommandFailure) -> String {
        guard let value = environment.variable(name) else {
            throw CommandFailure(.internalError, "the demo's server did not set \(name)")
        }
        return value
    }

    /// Runs a verb of `cloudkit-mock` at this server.
    ///
    /// - Returns: The lines that it printed, which must be JSON.
    func run(_ words: [String]) async throws(CommandFailure) -> [Line] {
        let ended: ProgramEnd
        do throws(FileError) {
            ended = try await environment.processes.run(
                [program] + words, variables: environment.variables, input: [],
                outputBytesMax: Self.outputBytesMax, within: Self.timeMax, on: environment.clock)
        } catch {
            throw CommandFailure(error)
        }
        guard ended.status == 0, ended.output.count < Self.outputBytesMax else {
            throw CommandFailure(
                .internalError,
                "\"\(MockCommand.program) \(words.joined(separator: " "))\" ended with "
                    + "\(ended.status): \(String(decoding: ended.output, as: UTF8.self))")
        }
        var lines: [Line] = []
        for bytes in ended.output.split(separator: 0x0A) {
            do throws(JSONError) {
                let value = try JSONDocument.parse(Array(bytes)).root
                lines.append((String(decoding: bytes, as: UTF8.self), value))
            } catch {
                throw CommandFailure(
                    .internalError, "cannot read what the mock server says: \(error)")
            }
        }
        return lines
    }
}
