/// A seed, and whether the code of the test has it.
struct ChosenSeed: Sendable {
    static let variable = "CLOUDKIT_MOCK_SEED"

    let value: UInt64
    /// nil where the code says it.
    let setting: String?

    /// - Parameter given: By the code; nil: the variable's, or one that is drawn.
    /// - Throws: ``MockCloudError`` when the variable holds something else than a number.
    init(_ given: UInt64?) throws {
        if let given {
            (value, setting) = (given, nil)
            return
        }
        let text = Edge.variable(Self.variable) ?? ""
        if text.isEmpty {
            value = Edge.freshSeed()
        } else {
            guard let number = UInt64(text) else {
                throw MockCloudError("\(Self.variable)=\(text) is not a whole number")
            }
            value = number
        }
        setting = "\(Self.variable)=\(value)"
    }
}
