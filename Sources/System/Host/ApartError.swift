import FileSystem

/// Why a program cannot be started in a network and mounts of its own.
package struct ApartError: Error, Sendable, Hashable {
    /// What failed.
    package enum Step: Int32, Sendable, CaseIterable {
        case process = 1
        case namespaces = 2
        case mounts = 3
        case network = 4
    }

    package let step: Step
    /// The system's number.
    package let code: Int32

    package init(_ step: Step, _ code: Int32) {
        self.step = step
        self.code = code
    }

    /// What is wrong, and why, without a final stop.
    package var message: String {
        let what =
            switch step {
            case .process: "cannot start a process"
            case .namespaces: "the kernel gives a program no network and mounts of its own"
            case .mounts: "the kernel does not allow a file to replace another"
            case .network: "cannot raise the loopback interface of its own network"
            }
        return "\(what): \(SystemErrors.text(code))"
    }
}
