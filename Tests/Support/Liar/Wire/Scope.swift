/// The three databases of a container.
package enum Scope: String, Sendable, CaseIterable {
    case `private`, shared, `public`
}
