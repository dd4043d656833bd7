private import HTTPServer

/// Serves a recording in place of the service that it is of.
package final class ReplayServer: Sendable {
    /// What has come of it.
    package struct Summary: Sendable {
        package let answered: Int
        /// Requests that the recording has no answer to.
        package let misses: Int
        /// Exchanges that nobody has asked for, in order.
        package let unasked: [RecordingFile.Entry]
    }

    private let file: RecordingFile
    private let server: RecordingServer
    private let tally: ReplayTally

    /// - Parameter report: Told of each request that the recording has no answer to, and what is nearest.
    package init(
        _ file: RecordingFile, on server: RecordingServer,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.file = file
        self.server = server
        tally = ReplayTally(report)
    }

    /// Serves until the server is stopped.
    package func run() async -> Summary {
        await server.serve { [file, server, tally] in
            ReplayApplication(file, own: server.url, tally)
        }
        return tally.summary
    }
}
