import Basics
package import Configuration

/// A protect rule that matches nothing and has a name that is nearly that of something that is there: what it
/// should keep would be deleted.
package struct Misspelling: Sendable, Hashable {
    package let rule: ProtectRule
    /// The name as the rule has it.
    package let written: String
    /// The name that was probably meant.
    package let meant: String

    package init(_ rule: ProtectRule, written: String, meant: String) {
        self.rule = rule
        self.written = written
        self.meant = meant
    }

    /// The one of `names` that somebody probably meant who wrote `written`; nil where that is one of them, or
    /// none is near. Names that differ in digits alone are two names, such as `Trip 1` and `Trip 2`.
    package static func meant(by written: String, among names: some Sequence<String>) -> String? {
        let letters = written.filter { !$0.isNumber }
        var near: [String] = []
        for name in names {
            if name == written { return nil }
            if name.filter({ !$0.isNumber }) != letters || letters.isEmpty { near.append(name) }
        }
        guard !letters.isEmpty else { return nil }
        return NearestName.find(written, among: near)
    }
}
