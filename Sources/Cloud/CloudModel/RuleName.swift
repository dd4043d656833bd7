/// The name of a rule that the mock server follows: the number of a behavior of CloudKit, or the short name of a
/// choice.
package struct RuleName: Sendable, Hashable, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral,
    CustomStringConvertible
{
    package let description: String

    package init(integerLiteral number: Int) { description = "\(number)" }
    package init(stringLiteral name: String) { description = name }
}
