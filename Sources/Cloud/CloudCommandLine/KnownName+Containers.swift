import CloudModel
package import CommandLine

extension KnownName {
    /// Of container lists.
    package static let container = KnownName("container")
    /// Of the zones of lists, and of whatever else a program knows.
    package static let zone = KnownName("zone")
}

extension Option.Value {
    /// `iCloud.com.example.app`
    package static let container = Option.Value(
        "CONTAINER",
        .checked(.init("container", names: .container) { Container.ID.problem(in: $0) }))
}
