private import CShims
private import Glibc

/// epoll, level-triggered.
@safe struct Poller: ~Copyable {
    /// What happened to a descriptor.
    struct Event {
        /// What was handed in with the descriptor.
        var data: UInt64
        var isReadable: Bool
        var isWritable: Bool
        /// An error, or both directions are closed.
        var isBroken: Bool
    }

    private static let eventsMax = 512
    private let descriptor: Int32
    private var data = [UInt64](repeating: 0, count: eventsMax)
    private var flags = [UInt8](repeating: 0, count: eventsMax)

    /// nil when the system has no descriptor left.
    init?() {
        let made = cksweep_epoll_create()
        guard made >= 0 else { return nil }
        descriptor = made
    }

    deinit { close(descriptor) }

    /// Starts to watch a descriptor.
    borrowing func add(_ watched: Int32, data: UInt64, read: Bool, write: Bool) {
        let code = cksweep_epoll_control(descriptor, 1, watched, data, read ? 1 : 0, write ? 1 : 0)
        precondition(code == 0, "epoll refused a descriptor: error \(-code)")
    }

    /// Watches for something else.
    borrowing func change(_ watched: Int32, data: UInt64, read: Bool, write: Bool) {
        let code = cksweep_epoll_control(descriptor, 3, watched, data, read ? 1 : 0, write ? 1 : 0)
        precondition(code == 0, "epoll does not know a descriptor: error \(-code)")
    }

    /// Stops to watch a descriptor.
    borrowing func remove(_ watched: Int32) {
        _ = cksweep_epoll_control(descriptor, 2, watched, 0, 0, 0)
    }

    /// Waits for events and returns how many there are; -1 milliseconds waits for ever. None after
    /// a signal.
    mutating func wait(milliseconds: Int32) -> Int {
        let count = unsafe cksweep_epoll_wait(
            descriptor, &data, &flags, Int32(Self.eventsMax), milliseconds)
        return max(0, Int(count))
    }

    /// One of the events that the last wait has found.
    borrowing func event(_ index: Int) -> Event {
        Event(
            data: data[index], isReadable: flags[index] & 1 != 0,
            isWritable: flags[index] & 2 != 0, isBroken: flags[index] & 4 != 0)
    }
}
