package import CommandLine

extension KnownName {
    /// Of a mock server and of fixtures.
    package static let user = KnownName("user")
    /// A file that the mock server loads.
    package static let fixture = KnownName("fixture", orFiles: true)
}
