/// Tells what time it is; handed in, so that tests and the mock server decide.
package struct WallClock: Sendable {
    private let read: @Sendable () -> Timestamp
    package init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

    package var now: Timestamp { read() }

    /// A clock that stands still.
    package static func fixed(_ moment: Timestamp) -> WallClock { WallClock { moment } }
}
