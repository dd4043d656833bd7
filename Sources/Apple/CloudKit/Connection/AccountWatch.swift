import AsyncOperations
import Foundation

/// Who is signed in to each container, as far as answers have shown; tells when that changes.
final class AccountWatch: Sendable {
    private enum Account: Equatable {
        case nobody
        /// nil: somebody whose name was not asked for yet.
        case user(String?)
    }
    private let known = Locked<[String: Account]>([:])
    let center: NotificationCenter

    /// The process's own, whatever it is connected to in turn: another user may sign in by
    /// another configuration.
    static let processWide = AccountWatch(.default)

    init(_ center: NotificationCenter) { self.center = center }

    /// An answer refused the user.
    func noteNobody(in container: String) { note(.nobody, container) }

    /// An answer took the user.
    ///
    /// - Parameter name: The user record name, where the answer has it.
    func noteUser(_ name: String? = nil, in container: String) { note(.user(name), container) }

    private func note(_ account: Account, _ container: String) {
        let isChanged = known.withLock { known in
            let before = known[container]
            switch (before, account) {
            case (.user(let name?)?, .user(nil)):
                // The same user, for all that is known.
                known[container] = .user(name)
                return false
            case (.user(nil)?, .user), (nil, _):
                known[container] = account
                return false
            default:
                known[container] = account
                return before != account
            }
        }
        if isChanged { center.post(name: .CKAccountChanged, object: nil) }
    }
}
