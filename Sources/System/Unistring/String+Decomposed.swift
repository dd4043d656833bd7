internal import CUnistring
internal import Glibc

extension String {
    /// The text in Unicode's normalization form D: every letter before the marks that are on it.
    ///
    /// The text itself when there is no memory for another.
    ///
    /// - SeeAlso: <https://www.unicode.org/reports/tr15/>
    package var canonicallyDecomposed: String {
        var text = self
        return text.withUTF8 { bytes in
            var count = 0
            guard let base = bytes.baseAddress,
                let result = unsafe cksweep_decomposed(base, bytes.count, &count)
            else { return self }
            defer { unsafe free(result) }
            return unsafe String(
                decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
        }
    }
}
