internal import AsyncOperations
public import Foundation

/// A place, as far as a user activity tells of it: no map and no route.
///
/// Unchecked: all that can change is behind a lock.
public final class MKMapItem: NSObject, @unchecked Sendable {
    private struct State: Sendable {
        var name: String?
        var phoneNumber: String?
        var url: URL?
    }

    private let state = Locked(State())

    /// A place about which nothing is known yet.
    public override init() { super.init() }

    /// What the place is called.
    public var name: String? {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    /// Where to call.
    public var phoneNumber: String? {
        get { state.withLock { $0.phoneNumber } }
        set { state.withLock { $0.phoneNumber = newValue } }
    }

    /// The place's page.
    public var url: URL? {
        get { state.withLock { $0.url } }
        set { state.withLock { $0.url = newValue } }
    }

    var copied: MKMapItem {
        let copy = MKMapItem()
        let state = state.withLock { $0 }
        copy.state.withLock { $0 = state }
        return copy
    }
}
