/// Why a query string was refused.
///
/// Names the place and the reason, never the text of the query: that can be a person's own words.
package struct QueryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong at the place.
    package enum Code: String, Sendable, CaseIterable {
        case tooLong = "the query is too long"
        case tooDeep = "too many parentheses inside each other"
        case tooManyComparisons = "too many comparisons"
        case expectedAttribute = "an attribute name belongs here"
        case expectedOperator = "one of == != < <= > >= belongs here"
        case expectedValue = "a quoted text, a number or a $time belongs here"
        case expectedEnd = "nothing but && or || belongs here"
        case expectedParenthesis = "a parenthesis belongs here"
        case expectedComma = "a comma belongs here"
        case unclosedText = "the quoted text has no end"
        case unknownModifier = "only the modifiers c, d and w are known"
        case unknownTime = "not a time that this library supports"
        case badNumber = "not a number"
        case wrongKind = "this attribute cannot be compared with a value of this kind"
        case unorderedText = "a text with * or modifiers can only be compared with == and !="
    }

    /// The kind of mistake.
    package let code: Code
    /// Where it is: how many Unicode scalars of the query come before it.
    package let position: Int

    /// Makes an error for one place of a query.
    package init(_ code: Code, at position: Int) {
        self.code = code
        self.position = position
    }

    package var description: String { "at \(position): \(code.rawValue)" }
}
