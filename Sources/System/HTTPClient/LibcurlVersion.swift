private import CCurl

/// A release of libcurl.
package struct LibcurlVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// `0xXXYYZZ`, as libcurl itself says it.
    package let number: UInt32

    package init(number: UInt32) { self.number = number }

    package init(_ major: UInt8, _ minor: UInt8, _ patch: UInt8) {
        number = UInt32(major) << 16 | UInt32(minor) << 8 | UInt32(patch)
    }

    /// The one that this process has loaded.
    package static var loaded: LibcurlVersion { LibcurlVersion(number: cksweep_curl_version()) }

    package static func < (one: LibcurlVersion, other: LibcurlVersion) -> Bool {
        one.number < other.number
    }

    package var description: String {
        "\(number >> 16).\(number >> 8 & 0xFF).\(number & 0xFF)"
    }
}
