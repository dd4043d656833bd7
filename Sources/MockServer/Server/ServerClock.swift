import AsyncOperations
package import CloudModel

/// The server's time: the real one moved by an offset, or one that stands still.
package final class ServerClock: Sendable {
    /// How the clock goes on.
    package enum Mode: String, Sendable, CaseIterable {
        case real
        case frozen
    }

    /// What it was set to.
    struct Setting {
        fileprivate var offset: Int64 = 0
        fileprivate var frozen: Int64?
    }

    /// About a hundred years, in milliseconds.
    static let stepMax: Int64 = 100 * 366 * 86_400_000

    private let base: WallClock
    private let state = Locked(Setting())
    /// A clock that shows what `base` shows, until it is set.
    package init(_ base: WallClock) { self.base = base }

    package var now: Timestamp {
        let real = base.now.milliseconds
        return state.withLock { Timestamp(milliseconds: $0.frozen ?? real &+ $0.offset) }
    }

    package var mode: Mode { state.withLock { $0.frozen == nil ? .real : .frozen } }

    /// What it was set to, to be put back.
    var setting: Setting {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// For what must see this clock's time and nothing else of it.
    package var wallClock: WallClock { WallClock { self.now } }

    /// Sets the time; a frozen clock stays at it.
    package func set(_ moment: Timestamp, mode: Mode) {
        let real = base.now.milliseconds
        state.withLock {
            $0.offset = moment.milliseconds &- real
            $0.frozen = mode == .frozen ? moment.milliseconds : nil
        }
    }

    /// Back to the real time.
    package func reset() {
        setting = Setting()
    }

    /// Moves the time, also of a frozen clock; at most by a hundred years either way.
    package func advance(milliseconds: Int64) {
        let step = max(-Self.stepMax, min(Self.stepMax, milliseconds))
        state.withLock {
            $0.offset = $0.offset &+ step
            $0.frozen = $0.frozen.map { $0 &+ step }
        }
    }
}
