/// A property of an intent, of its response or of a value.
struct Property {
    /// What it is, in the table's words; empty: the words of its name.
    let documentation: [String]
    let name: String
    let type: String
    /// What the initialiser calls it; nil: its name.
    let label: String?
    /// What it is when the initialiser is not told.
    let initially: String?
    let isSettable: Bool

    /// Whether it may have no value.
    var isOptional: Bool { type.hasSuffix("?") }
}

/// What a handler says about one parameter.
struct Resolution {
    let parameter: String
    /// The class of the result, in brackets when there is one for each element.
    let result: String
    /// The class that the method answered with before; nil: there was no other.
    let older: String?

    var method: String { "resolve" + parameter.prefix(1).uppercased() + parameter.dropFirst() }
}

/// One parameter of an initialiser.
struct Parameter {
    let label: String?
    let property: String
    /// Its type, where it is not the property's.
    let type: String?
    let initially: String?
}

/// An initialiser that sets properties.
struct Initializer {
    let mayFail: Bool
    let parameters: [Parameter]
}
