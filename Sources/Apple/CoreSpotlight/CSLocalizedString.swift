internal import CoreLocation
public import Foundation

/// A text in several languages.
///
/// Apple's is a string of Objective-C, which Swift turns into one language where it is used; here
/// it is an object of its own, whose text is asked for.
public final class CSLocalizedString: NSObject, NSSecureCoding, Sendable {
    private let texts: [String: String]

    /// A text by the codes of languages, such as `en` and `de-AT`.
    public init(localizedStrings: [AnyHashable: Any]) {
        var texts: [String: String] = [:]
        for case (let language as String, let text as String) in localizedStrings {
            texts[language] = text
        }
        self.texts = texts
        super.init()
    }

    /// The text in the first of the person's languages that there is; otherwise in English, or in
    /// the language that comes first in the alphabet.
    public func localizedString() -> String { text(in: Locale.preferredLanguages) }

    func text(in languages: [String]) -> String {
        for language in languages + ["en"] {
            if let text = texts[language] { return text }
            let plain = language.prefix { $0 != "-" && $0 != "_" }
            if let text = texts[String(plain)] { return text }
        }
        return texts.min { $0.key < $1.key }?.value ?? ""
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CSLocalizedString)?.texts == texts
    }
    public override var hash: Int { texts.hashValue }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    /// The text that an archive holds; nil when it cannot be read.
    public convenience init?(coder: NSCoder) {
        let types = [NSDictionary.self, NSString.self]
        guard let texts = coder.decodeIfThere(anyOf: types, "texts") as? [String: String]
        else { return nil }
        self.init(localizedStrings: texts)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(NSDictionary(dictionary: texts), forKey: "texts")
    }
}
