import Testing

/// Sharing as an app does it, compiled for Linux as it stands, by two people over TLS.
@Suite(.timeLimit(.minutes(10)))
struct SharerTests {
    @Test(arguments: ["SharerSwift5", "SharerSwift6"])
    func `a note is shared, changed by the other, left, and no longer shared`(
        app: String
    ) throws {
        let ended = try Program.underMockServer(app, [])
        #expect(ended.status == 0, "\(ended.output)")
        #expect(
            ended.lines == [
                "shared with: Ann Bob", "invited to: Packing list", "changed: true",
                "shared zones: 1", "left: true", "shared zones: 0",
                "title: Packing list of two", "participants: 1", "participants: 2",
                "participants: 1", "stopped: true", "still shared: false",
            ], "\(ended.output)")
    }
}
