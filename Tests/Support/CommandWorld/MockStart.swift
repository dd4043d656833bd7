import CommandLine
import Host
import MockCommands
import RepositoryRoot

/// `cloudkit-mock serve` under way in a world of its own.
package enum MockStart {
    /// The fixture of the demonstration.
    package static let fixture = Repository.url("Containers/fixtures/demo.json").path

    /// Runs `body` once the server listens, and ends the server whatever becomes of it.
    ///
    /// - Returns: The status that `cloudkit-mock serve` ended with.
    /// - Throws: What `body` throws; or that the server has ended, with what it said, before it listened.
    @discardableResult
    package static func run(
        in world: TestWorld, _ options: [String] = [], isTerminal: Bool = false,
        columns: Int? = nil, _ body: () async throws -> Void
    ) async throws -> Int32 {
        try await withTaskCancellationHandler {
            async let code = toItsEnd(world, options, isTerminal, columns)
            do {
                try await world.output.wait(for: "\n")
                try await body()
            } catch {
                world.signals.send(2)
                guard await code == 0 else { throw Ended(said: world.errors.text, error) }
                throw error
            }
            world.signals.send(2)
            return await code
        } onCancel: {
            world.signals.send(2)
        }
    }

    /// The server ended by itself.
    package struct Ended: Error, CustomStringConvertible {
        package let description: String
        init(said text: String, _ error: any Error) {
            description = "the server has ended: \(text); \(error)"
        }
    }

    private static func toItsEnd(
        _ world: TestWorld, _ options: [String], _ isTerminal: Bool, _ columns: Int?
    ) async -> Int32 {
        defer { world.output.end() }
        var environment = world.environment(of: .cloudkitMock, isTerminal: isTerminal)
        environment.terminal.width = { columns }
        return await Dispatcher.run(
            ["serve", "--state", "state"] + options, in: environment
        ).code
    }
}
