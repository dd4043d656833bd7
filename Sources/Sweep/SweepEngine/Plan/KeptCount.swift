/// What a policy keeps in one row of the coverage map.
struct KeptCount: Sendable, Hashable {
    var count = 0
    /// The reason of the first rule met.
    var reason = ""
}
