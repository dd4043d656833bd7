/// A number of things in words.
package enum Counted {
    /// `1 item`, `0 items`
    package static func text(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
