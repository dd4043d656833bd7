/// Writes the Swift code of a table.
struct Writer {
    let types: Types
    var code = SwiftCode()

    /// The code of a table.
    static func code(of table: Table, _ types: Types) throws(UnknownType) -> String {
        var writer = Writer(types: types)
        for intent in table.intents { try writer.add(intent) }
        for value in table.values { try writer.add(value) }
        for cases in table.cases { writer.add(cases, conformances: "Int, Sendable") }
        for bits in table.bits { writer.add(bits) }
        for result in table.results { writer.add(result) }
        let needsFoundation = writer.code.lines.contains { line in
            (line.contains("public ") || line.contains("open "))
                && line.split { !$0.isLetter }.contains { Self.foundation.contains($0) }
        }
        return (needsFoundation ? "public" : "internal") + " import Foundation\n"
            + writer.code.text
    }

    /// A property's type for which no table says what stands for a value that is not there.
    struct UnknownType: Error, CustomStringConvertible {
        let type: String
        var description: String { "error: no table has a fallback for the type “\(type)”" }
    }

    /// What Foundation has to be imported publicly for.
    private static let foundation: Set<Substring> = [
        "Date", "DateComponents", "Measurement", "NSDecimalNumber", "NSNumber", "NSObjectProtocol",
        "NSRange", "URL",
    ]

    mutating func add(_ cases: Cases, conformances: String) {
        code.document(cases.documentation, or: Words.of(cases.name) + ".")
        code.block("public enum \(cases.name): \(conformances)") { code in
            for (index, name) in cases.names.enumerated() {
                code.add("/// \(Words.of(name)).")
                code.add(
                    "case \(name)" + (index == 0 && cases.first != 0 ? " = \(cases.first)" : ""))
            }
        }
    }

    mutating func add(_ bits: Bits) {
        code.document(bits.documentation, or: Words.of(bits.name) + ".")
        code.block("public struct \(bits.name): OptionSet, Hashable, Sendable") { code in
            code.add("/// The bits.")
            code.add("public let rawValue: UInt")
            code.add("/// A set of these bits.")
            code.add("public init(rawValue: UInt) { self.rawValue = rawValue }")
            for (bit, name) in bits.names.enumerated() {
                code.add("/// \(Words.of(name)).")
                code.add("public static let \(name) = \(bits.name)(rawValue: 1 << \(bit))")
            }
        }
    }

    mutating func add(_ properties: [Property]) throws(UnknownType) {
        for property in properties {
            var read = "value(\"\(property.name)\")"
            if !property.isOptional {
                guard let fallback = types.fallback(property.type)
                else { throw UnknownType(type: property.type) }
                read += " ?? \(fallback)"
            }
            let isSettable = property.isSettable
            code.document(property.documentation, or: Words.of(property.name) + ".")
            code.block("public var \(property.name): \(property.type)") { code in
                code.add(isSettable ? "get { \(read) }" : read)
                if isSettable { code.add("set { put(newValue, \"\(property.name)\") }") }
            }
        }
    }

    /// An initialiser that sets properties; `start` is its first line.
    mutating func add(
        _ initializer: Initializer, of properties: [Property], start: String,
        documentation: String, last: (parameter: String, line: String)? = nil
    ) {
        var parameters = initializer.parameters.map { parameter in
            let type =
                parameter.type
                ?? properties.first { $0.name == parameter.property }?.type ?? "Never"
            return (parameter.label.map { $0 + " " } ?? "") + parameter.property + ": " + type
                + (parameter.initially.map { " = " + $0 } ?? "")
        }
        if let last { parameters.append(last.parameter) }
        code.add("/// " + documentation)
        code.block(
            "public convenience init\(initializer.mayFail ? "?" : "")"
                + "(\(parameters.joined(separator: ", ")))"
        ) { code in
            code.add(start)
            for parameter in initializer.parameters {
                code.add("put(\(parameter.property), \"\(parameter.property)\")")
            }
            if let last { code.add(last.line) }
        }
    }

    /// The initialiser of all properties that cannot be set later.
    static func whole(_ properties: [Property]) -> Initializer {
        Initializer(
            mayFail: false,
            parameters: properties.filter { !$0.isSettable }.map {
                Parameter(label: $0.label, property: $0.name, type: nil, initially: $0.initially)
            })
    }
}
