import AsyncOperations
import Foundation

/// Hears of changes of the account for as long as it lives.
final class AccountObserver: Sendable {
    private let center: NotificationCenter
    private let token: Locked<(any NSObjectProtocol)?>

    init(_ accounts: AccountWatch, _ tell: @escaping @Sendable () -> Void) {
        center = accounts.center
        token = Locked(
            accounts.center.addObserver(forName: .CKAccountChanged, object: nil, queue: nil) { _ in
                tell()
            })
    }

    deinit { token.withLock { if let token = $0 { center.removeObserver(token) } } }
}
