import Basics

/// Certificates in the form that Java's runtimes read authorities from (JKS), without a password.
enum JavaTrustStore {
    /// The file.
    ///
    /// - Parameters:
    ///   - authorities: Each one certificate in PEM.
    ///   - moment: Seconds since 1970.
    static func bytes(authorities: [[UInt8]], at moment: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        number(0xFEED_FEED, UInt32.self, &bytes)
        number(2, UInt32.self, &bytes)
        number(UInt32(authorities.count), UInt32.self, &bytes)
        for (index, pem) in authorities.enumerated() {
            let body = String(decoding: pem, as: UTF8.self).split(separator: "\n")
                .filter { !$0.hasPrefix("-----") }.joined()
            let certificate = Base64.decode(body) ?? []
            // 2 stands for a certificate that is trusted.
            number(2, UInt32.self, &bytes)
            text("authority\(index + 1)", &bytes)
            number(UInt64(clamping: moment * 1000), UInt64.self, &bytes)
            text("X.509", &bytes)
            number(UInt32(certificate.count), UInt32.self, &bytes)
            bytes += certificate
        }
        // A digest keyed with a password stands here; who gives no password does not look at it.
        return bytes + Array(repeating: 0, count: 20)
    }

    private static func number<Number: FixedWidthInteger>(
        _ value: Number, _: Number.Type, _ bytes: inout [UInt8]
    ) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    private static func text(_ text: String, _ bytes: inout [UInt8]) {
        number(UInt16(clamping: text.utf8.count), UInt16.self, &bytes)
        bytes += Array(text.utf8)
    }
}
