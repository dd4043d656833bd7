import CommandLine
import Configuration
import FileSystem
import JSON
import MockRecording

/// What recording and replaying have in common: a server, and a program that is led to it or whoever asks.
struct RecordingStage {
    static let port = Option(
        "port", value: .number(0...65_535), "port to listen on (default 0: any free port)")
    static let readyFile = Option(
        "ready-file", value: .file,
        "without a program: write address, authority and variables to FILE as JSON when ready, "
            + "mode 0600")
    static let command = Positional(
        .text("CMD"), .optionalCommand,
        "the program and its arguments (default: serve until SIGINT or SIGTERM)")
    static let options = [port, readyFile, AdminClient.state] + CommonOptions.output

    let server: RecordingServer
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) throws(CommandFailure) {
        let environment = console.environment
        let state = environment.stateFolder(arguments.text(AdminClient.state))
        do throws(RecordingError) {
            server = try RecordingServer(
                stateFolder: state, port: UInt16(arguments.number(Self.port) ?? 0),
                clock: environment.wallClock)
        } catch {
            throw CommandFailure(.usage, "the server cannot start: \(error)")
        }
        self.arguments = arguments
        self.console = console
    }

    /// Has the program run, or waits for a signal; then stops the server.
    ///
    /// - Parameter variables: What the program finds its tokens in.
    /// - Returns: The program's exit status; 0 without one.
    func run(_ variables: [String: String]) async throws(CommandFailure) -> Int32 {
        defer { server.stop() }
        let environment = console.environment
        let variables = variables.merging(
            [
                ServerChoice.urlVariable: server.url,
                ServerChoice.authorityVariable: server.authorityFile,
            ]) { $1 }
        guard arguments.command.isEmpty else {
            do throws(FileError) {
                return try await ChildProgram(in: environment)
                    .run { () throws(FileError) in
                        try environment.processes.start(
                            arguments.command,
                            variables: environment.variables.merging(variables) { $1 })
                    }.status
            } catch {
                throw CommandFailure(.usage, error.description)
            }
        }
        let stop = AsyncStream.makeStream(of: Void.self)
        environment.signals.onStop { _ in stop.continuation.finish() }
        defer { environment.signals.endProcess() }
        let ready = try writeReadyFile(variables)
        console.result(server.readyLine)
        console.event(
            Event(
                "ready",
                [
                    .init("url", server.url), .init("port", Int(server.port)),
                    .init("ca", server.authorityFile),
                ]))
        for await _ in stop.stream {}
        if let ready { environment.files.remove(ready) }
        return 0
    }

    /// Writes the file that was asked for; where it is.
    private func writeReadyFile(
        _ variables: [String: String]
    ) throws(CommandFailure) -> String? {
        guard let path = arguments.text(Self.readyFile) else { return nil }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("url", server.url)
            writer.member("port", Int(server.port))
            writer.member("pid", Int(console.environment.processes.ownID))
            writer.member("ca", server.authorityFile)
            writer.object("variables") { writer in
                for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
                    writer.member(name, value)
                }
            }
        }
        writer.endLine()
        let files = console.environment.files
        do throws(FileError) {
            try files.write(
                writer.bytes, to: files.absolute(path), mode: 0o600, replacing: true)
        } catch {
            throw CommandFailure(error)
        }
        return files.absolute(path)
    }
}
