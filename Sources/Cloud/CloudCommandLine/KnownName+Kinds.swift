import CloudModel
package import CommandLine
import Donations

extension KnownName {
    /// Of the state folder's journals.
    package static let run = KnownName("run")
    /// Of container lists.
    package static let container = KnownName("container")
    /// Of lists, fixtures and fences.
    package static let zone = KnownName("zone")
    /// Of a mock server and of fixtures.
    package static let user = KnownName("user")
    /// A file that the mock server loads.
    package static let fixture = KnownName("fixture", orFiles: true)
}

extension Option.Value {
    /// `iCloud.com.example.app`
    package static let container = Option.Value(
        "CONTAINER",
        .checked(.init("container", names: .container) { Container.ID.problem(in: $0) }))
    /// `com.example.app`
    package static let bundleIdentifier = Option.Value(
        "BUNDLE-ID", .checked(.init("bundle identifier") { Manifest.problem(in: $0) }))
}
