import CloudWire

/// Where a browser is sent after a sign-in, with the token in the query: `https://app.example/back`, or
/// an app's own scheme such as `cloudkit-icloud.com.example.app://`.
package struct SignInCallback: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    private static let bytesMax = 2000
    /// What a browser would run or show as its own instead of going there.
    private static let unsafeSchemes: Set = [
        "about", "blob", "data", "file", "filesystem", "javascript", "vbscript", "view-source",
    ]

    /// nil for what is no such address, and for one with a fragment, which would take the token in.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax, let colon = text.firstIndex(of: ":"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("#"),
            !text.contains("\\")
        else { return nil }
        let scheme = text[..<colon].lowercased()
        let isScheme =
            scheme.utf8.first.map { (0x61...0x7A).contains($0) } == true
            && scheme.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
            }
        let isWeb = scheme == "http" || scheme == "https"
        let place = text[colon...].dropFirst()
        guard isScheme, !Self.unsafeSchemes.contains(scheme), place.hasPrefix("//"),
            !isWeb || place.dropFirst(2).first.map({ !"/?".contains($0) }) == true
        else { return nil }
        description = text
    }

    /// The address with a token in its query, under both names, and what the app gave along.
    func address(token: String, state: String?) -> String {
        let escaped = WireQuery.encoded(token)
        let mark = description.contains("?") ? "&" : "?"
        return description + mark + "ckWebAuthToken=\(escaped)&ckSession=\(escaped)"
            + (state.map { "&state=" + WireQuery.encoded($0) } ?? "")
    }
}
