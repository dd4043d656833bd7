internal import Foundation

/// Where the streams of a delivered activity come from.
package protocol ContinuationStreamSource: Sendable {
    /// Connects to the side that the activity came from; neither stream is open yet.
    ///
    /// - Throws: An error of `NSCocoaErrorDomain`, 4608 to 4610.
    func connect() throws -> ContinuationStreams
}
