package import CommandLine
import Donations

extension KnownName {
    /// Of the state folder's journals.
    package static let run = KnownName("run")
}

extension Option.Value {
    /// `com.example.app`
    static let bundleIdentifier = Option.Value(
        "BUNDLE-ID", .checked(.init("bundle identifier") { Manifest.problem(in: $0) }))
}
