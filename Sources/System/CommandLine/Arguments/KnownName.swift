/// A kind of names that this machine may know, so that a shell can complete them.
package struct KnownName: Sendable, Hashable {
    package let name: String
    /// Whether files are offered where no name fits.
    package let orFiles: Bool

    package init(_ name: String, orFiles: Bool = false) {
        self.name = name
        self.orFiles = orFiles
    }
}
