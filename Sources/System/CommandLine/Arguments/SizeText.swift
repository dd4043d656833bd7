/// An amount of memory as people write it: `65536`, `512KiB`, `256MiB`, `1GiB`.
enum SizeText {
    private static let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)]

    /// The bytes; nil for anything else, and for what is too much for a number.
    static func parse(_ text: String) -> Int? {
        let unit = units.first { text.hasSuffix($0.0) }
        let digits = unit.map { text.dropLast($0.0.count) } ?? text[...]
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let number = Int(digits)
        else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (unit?.1 ?? 0))
        return overflow ? nil : bytes
    }

    /// The same amount in the largest unit that it is a whole number of.
    static func text(_ bytes: Int) -> String {
        let unit = units.last { bytes > 0 && bytes.isMultiple(of: 1 << $0.1) }
        return unit.map { "\(bytes >> $0.1)\($0.0)" } ?? "\(bytes)"
    }
}
