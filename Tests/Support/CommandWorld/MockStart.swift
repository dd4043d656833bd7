import CommandLine
import Commands
import Host

/// `mock start` under way in a world of its own.
enum MockStart {
    /// Runs `body` once the server listens, and ends the server whatever becomes of it.
    ///
    /// - Returns: The status that `mock start` ended with.
    /// - Throws: What `body` throws; or that the server has ended, with what it said, before it listened.
    @discardableResult
    static func run(
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
    struct Ended: Error, CustomStringConvertible {
        let description: String
        init(said text: String, _ error: any Error) {
            description = "the server has ended: \(text); \(error)"
        }
    }

    private static func toItsEnd(
        _ world: TestWorld, _ options: [String], _ isTerminal: Bool, _ columns: Int?
    ) async -> Int32 {
        defer { world.output.end() }
        var environment = world.environment(isTerminal: isTerminal)
        environment.terminal.width = { columns }
        return await Dispatcher.run(
            ["mock", "start", "--state", "state"] + options, in: environment
        ).code
    }
}
