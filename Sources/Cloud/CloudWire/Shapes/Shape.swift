/// What a JSON value can be, as far as is known.
///
/// The tables of operations say their bodies, parameters and answers in these; the index page, the
/// lists of keys that are taken and the OpenAPI document are made of them.
package indirect enum Shape: Sendable, Hashable {
    /// Anything, or nobody has said what.
    case any
    case string(Text)
    case integer(ClosedRange<Int64>)
    case number
    case flag
    /// - Parameter max: The most elements; nil where nothing but a body's length bounds them.
    case list(Shape, max: Int?)
    /// An object whose keys are names of data.
    case map(Shape)
    /// An object with these keys and no others.
    case object([Member])
    case oneOf([Shape])
    /// One of ``ShapeDefinition/all``.
    case named(String)

    /// What a string can be.
    package struct Text: Sendable, Hashable {
        /// The only ones; empty: any.
        package var choices: [String] = []
        /// A regular expression of ECMA 262 that all of it fits.
        package var pattern: String?
        /// UTF-8 bytes at most.
        package var bytesMax: Int?

        package init(choices: [String] = [], pattern: String? = nil, bytesMax: Int? = nil) {
            self.choices = choices
            self.pattern = pattern
            self.bytesMax = bytesMax
        }
    }

    /// A key of an object, or a parameter of a query. One that only has a name can hold anything.
    package struct Member: Sendable, Hashable, ExpressibleByStringLiteral {
        package let name: String
        package let shape: Shape
        package private(set) var isRequired = false

        package init(_ name: String, _ shape: Shape) {
            self.name = name
            self.shape = shape
        }

        package init(stringLiteral name: String) { self.init(name, .any) }

        /// The same, which must be there.
        package var required: Member {
            var member = self
            member.isRequired = true
            return member
        }
    }
}

extension Shape: ExpressibleByStringLiteral {
    package init(stringLiteral name: String) { self = .named(name) }

    /// Any string.
    package static var text: Shape { .string(Text()) }
    /// Any whole number that 64 bits hold.
    package static var integer: Shape { .integer(.min ... .max) }
    /// From zero on.
    package static var count: Shape { .integer(0 ... .max) }

    package static func text(pattern: String, bytesMax: Int? = nil) -> Shape {
        .string(Text(pattern: pattern, bytesMax: bytesMax))
    }

    package static func choice(_ choices: [String]) -> Shape { .string(Text(choices: choices)) }

    /// The raw values of a type.
    package static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        of type: Choice.Type
    ) -> Shape { choice(type.allCases.map(\.rawValue)) }

    package static func list(_ element: Shape) -> Shape { .list(element, max: nil) }

    /// What the index page calls it: the name of a definition, in brackets where it is a list.
    package var label: String {
        switch self {
        case .any: "any"
        case .string: "text"
        case .integer: "integer"
        case .number: "number"
        case .flag: "flag"
        case .list(let element, _): "[\(element.label)]"
        case .map(let value): "{name: \(value.label)}"
        case .object(let members): "{\(members.map(\.name).joined(separator: ", "))}"
        case .oneOf(let shapes): shapes.map(\.label).joined(separator: "|")
        case .named(let name): name
        }
    }
}

extension Shape.Member {
    /// One that must be there, and only has a name.
    package static func required(_ name: String) -> Self { Self(name, .any).required }
    package static func text(_ name: String) -> Self { Self(name, .text) }
    package static func flag(_ name: String) -> Self { Self(name, .flag) }
    package static func number(_ name: String) -> Self { Self(name, .number) }
    package static func integer(
        _ name: String, _ range: ClosedRange<Int64> = .min ... .max
    ) -> Self { Self(name, .integer(range)) }
    package static func count(_ name: String) -> Self { Self(name, .count) }
    package static func choice(_ name: String, _ choices: [String]) -> Self {
        Self(name, .choice(choices))
    }
    package static func list(_ name: String, of element: Shape, max: Int? = nil) -> Self {
        Self(name, .list(element, max: max))
    }
    package static func object(_ name: String, _ members: [Shape.Member]) -> Self {
        Self(name, .object(members))
    }
    /// One of ``ShapeDefinition/all``.
    package static func named(_ name: String, _ definition: String) -> Self {
        Self(name, .named(definition))
    }
}
