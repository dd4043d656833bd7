package import Basics

/// What a verb ends with.
package enum VerbResult: Sendable, Hashable {
    case status(ExitStatus)
    /// The exit status of a program that was run.
    case child(Int32)

    package static let done = VerbResult.status(.done)

    package var rawValue: Int32 {
        switch self {
        case .status(let status): status.rawValue
        case .child(let code): code
        }
    }
}
