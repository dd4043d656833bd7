import HTTPServer

/// What all uploads together have on their way to the disk. Beyond a limit, some uploads wait and their clients are not
/// read; others are refused.
///
/// Used on the loop's thread. The bytes count in the memory budget until they are written, even if the client has
/// disconnected.
final class UploadBacklog {
    /// Bytes that may wait for the disk; what comes with the end of a body goes beyond.
    private static let bytesMax = 8 << 20
    /// Files that may be open for uploads in progress: some clients are slow.
    private static let filesMax = 128
    /// Uploads that may wait, each with a piece.
    private static let waitingMax = 128

    private var bytes = 0
    private var files = 0
    /// First come, first served.
    private var waiting: [UploadSink] = []

    /// Whether the disk may get more now.
    func hasRoom(openingFile: Bool) -> Bool {
        bytes < Self.bytesMax && (!openingFile || files < Self.filesMax)
    }

    func begin(_ count: Int, _ loop: HTTPLoop) {
        bytes += count
        loop.hold(count)
    }

    func end(_ count: Int, _ loop: HTTPLoop) {
        bytes -= count
        loop.hold(-count)
        goOn()
    }

    func openFile() { files += 1 }

    func closeFile() {
        files -= 1
        goOn()
    }

    /// Resumes a sink when there is room; false: too many wait already.
    func enqueue(_ sink: UploadSink) -> Bool {
        guard waiting.count < Self.waitingMax else { return false }
        waiting.append(sink)
        return true
    }

    func remove(_ sink: UploadSink) { waiting.removeAll { $0 === sink } }

    private func goOn() {
        let sinks = waiting
        waiting = []
        // Those without room enqueue themselves again.
        for sink in sinks { sink.goOn() }
    }
}
