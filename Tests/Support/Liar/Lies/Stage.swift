/// Where a run stands, as far as those outside can tell.
package enum Stage: Sendable, Hashable {
    case look
    case delete
    /// A verification pass, from 1.
    case pass(Int)

    package var name: String {
        switch self {
        case .look: "the look"
        case .delete: "the deletion"
        case .pass(let number): "pass \(number)"
        }
    }
}
