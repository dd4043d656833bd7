package import Basics

/// The date form of HTTP headers.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7>
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other form.
    package static func parse(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT",
            let month = months.firstIndex(of: String(parts[2])).map({ $0 + 1 })
        else { return nil }
        let monthText = month < 10 ? "0\(month)" : "\(month)"
        return Timestamp(iso8601: "\(parts[3])-\(monthText)-\(parts[1])T\(parts[4])Z")
    }
}
