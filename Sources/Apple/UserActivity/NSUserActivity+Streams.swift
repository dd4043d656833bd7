internal import Foundation

extension NSUserActivity {
    /// Asks the device that the activity came from for a pair of streams, both not yet open.
    ///
    /// Only an activity that was delivered to the app has such a device, and only if it
    /// ``supportsContinuationStreams``; otherwise the error is 4609 of `NSCocoaErrorDomain`.
    public func getContinuationStreams(
        completionHandler: @escaping @Sendable (InputStream?, OutputStream?, (any Error)?) -> Void
    ) {
        let answer: StreamAnswer
        do {
            let streams = try connectedStreams()
            answer = StreamAnswer(input: streams.input, output: streams.output, error: nil)
        } catch {
            answer = StreamAnswer(input: nil, output: nil, error: error)
        }
        UserActivityDonor.callBack { completionHandler(answer.input, answer.output, answer.error) }
    }

    /// The same, waiting.
    public func continuationStreams() async throws -> (InputStream, OutputStream) {
        let streams = try connectedStreams()
        return (streams.input, streams.output)
    }

    private func connectedStreams() throws -> ContinuationStreams {
        guard let source = read({ $0.supportsContinuationStreams ? $0.streams : nil }) else {
            throw CocoaError(.userActivityConnectionUnavailable)
        }
        return try source.connect()
    }
}

/// Streams on their way to the app.
///
/// Unchecked: they are given away, and only the app takes them.
private struct StreamAnswer: @unchecked Sendable {
    let input: InputStream?
    let output: OutputStream?
    let error: (any Error)?
}
