/// Numbers of things, in words.
package enum Counts {
    /// nil for none.
    package static func of(_ count: Int, _ noun: String) -> String? {
        count == 0 ? nil : some(count, noun)
    }

    /// `1 zone`, `0 zones`
    package static func some(_ count: Int, _ noun: String) -> String {
        "\(TextTable.grouped(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// `1 zone`, `0 zones`
    package static func some(_ count: Int64, _ noun: String) -> String {
        some(Int(clamping: count), noun)
    }
}
