/// A line that makes a shortcut's title, with places for the values of its parameters.
struct Title {
    let parameters: [String]
    let text: String
}

/// The names of an enumeration, in the order of their numbers.
struct Cases {
    let documentation: [String]
    let name: String
    let first: Int
    let names: [String]

    /// What stands for a number that is none of them.
    var fallback: String {
        let known = names.first { $0 == "unspecified" || $0 == "unknown" }
        return "." + (known ?? names.first { $0 == "failure" } ?? names[0])
    }
}

/// The names of a set of bits, from the lowest bit on.
struct Bits {
    let documentation: [String]
    let name: String
    let names: [String]
}

/// An intent with its handler and its response.
struct Intent {
    let documentation: [String]
    let name: String
    var properties: [Property] = []
    var initializers: [Initializer] = []
    var resolutions: [Resolution] = []
    var titles: [Title] = []
    var responseProperties: [Property] = []
    /// What the response's initialiser takes besides its code.
    var responseParameters: [Parameter] = []
    var codes: Cases?
    /// What an observer of the response is told, where the handler has one.
    var updates: String?
}

/// A class whose properties are kept by name.
struct Value {
    let documentation: [String]
    let name: String
    /// The table's class that it refines.
    let parent: String?
    var properties: [Property] = []
    var initializers: [Initializer] = []
}

/// A class of resolution results.
struct ResolutionResult {
    enum Kind: String, CaseIterable {
        /// The person may have to choose: `disambiguation`.
        case choice
        /// A case of an enumeration or a set of bits: a confirmation needs a value.
        case constant
        /// A number or a yes or no: a confirmation needs no value.
        case plain
        /// Refines another class by reasons why the app cannot do it.
        case reason
    }

    let kind: Kind
    /// Its name without `IN` and `ResolutionResult`.
    let name: String
    /// What is meant; for a reason, the class that it refines.
    let subject: String
}

/// What one table describes.
struct Table {
    var intents: [Intent] = []
    var values: [Value] = []
    var cases: [Cases] = []
    var bits: [Bits] = []
    var results: [ResolutionResult] = []
    /// What stands for a value that is not there, by its type.
    var fallbacks: [String: String] = [:]
}
