/// What an app declares of itself: the keys of `Info.plist` and of its entitlements that decide
/// about donations.
///
/// - SeeAlso: <https://developer.apple.com/documentation/bundleresources/information-property-list/nsuseractivitytypes>
package struct Manifest: Sendable, Hashable {
    /// Another name that people call the app by.
    package struct Synonym: Sendable, Hashable {
        package let name: String
        package let pronunciation: String?

        package init(name: String, pronunciation: String? = nil) {
            self.name = name
            self.pronunciation = pronunciation
        }
    }

    /// `CFBundleIdentifier`
    package var bundleIdentifier: String?
    /// `NSUserActivityTypes`, in the order of the file, repetitions included.
    package var activityTypes: [String] = []
    /// `INIntentsSupported` of an app, or `IntentsSupported` of an extension.
    package var intents: [String] = []
    /// `INIntentsRestrictedWhileLocked`, `IntentsRestrictedWhileLocked`
    package var intentsRestrictedWhileLocked: [String] = []
    /// Container identifiers of the entitlements and of `NSUbiquitousContainers`, sorted.
    package var containers: [String] = []
    /// `com.apple.security.application-groups`
    package var groups: [String] = []
    /// The team, as the entitlements or the application identifier name it.
    package var teamIdentifier: String?
    /// `INAlternativeAppNames`
    package var synonyms: [Synonym] = []
    /// What is wrong, in the order it was found.
    package private(set) var findings: [ManifestFinding] = []

    /// A manifest without a word.
    package init() {}

    /// Reads a dictionary of `Info.plist` or entitlements keys; keys it does not know are others'
    /// business.
    package init(_ value: ManifestValue) {
        guard value.dictionary != nil else {
            report(.wrongKind, "", "the manifest must be a dictionary, not \(value.noun)")
            return
        }
        bundleIdentifier = text(value, "CFBundleIdentifier")
        activityTypes = texts(value, "NSUserActivityTypes")
        let inside = value["NSExtension"]?["NSExtensionAttributes"] ?? .dictionary([:])
        intents = texts(value, "INIntentsSupported") + texts(inside, "IntentsSupported")
        intentsRestrictedWhileLocked =
            texts(value, "INIntentsRestrictedWhileLocked")
            + texts(inside, "IntentsRestrictedWhileLocked")
        groups = texts(value, "com.apple.security.application-groups")
        readContainers(value)
        readTeam(value)
        readSynonyms(value)
        checkIdentifiers()
        checkIntents()
    }

    /// Whether an activity of this type is recorded (reading A15): a manifest that declares no
    /// type says nothing about types.
    package func declares(activityType: String) -> Bool {
        activityTypes.isEmpty || activityTypes.contains(activityType)
    }

    private mutating func report(
        _ code: ManifestFinding.Code, _ key: String, _ message: String
    ) {
        findings.append(ManifestFinding(code: code, key: key, message: message))
    }

    private mutating func text(_ value: ManifestValue, _ key: String) -> String? {
        guard let member = value[key] else { return nil }
        guard let text = member.text else {
            report(.wrongKind, key, "\(key) must be a string, not \(member.noun)")
            return nil
        }
        return text
    }

    private mutating func texts(_ value: ManifestValue, _ key: String) -> [String] {
        guard let member = value[key] else { return [] }
        guard let list = member.list else {
            report(.wrongKind, key, "\(key) must be an array, not \(member.noun)")
            return []
        }
        var texts: [String] = []
        for (index, element) in list.enumerated() {
            guard let text = element.text else {
                report(
                    .wrongKind, key, "\(key)[\(index)] must be a string, not \(element.noun)")
                continue
            }
            texts.append(text)
        }
        return texts
    }

    private mutating func readContainers(_ value: ManifestValue) {
        var found = Set(texts(value, "com.apple.developer.icloud-container-identifiers"))
        found.formUnion(texts(value, "com.apple.developer.ubiquity-container-identifiers"))
        if let ubiquitous = value["NSUbiquitousContainers"] {
            if let names = ubiquitous.dictionary?.keys {
                found.formUnion(names)
            } else {
                report(
                    .wrongKind, "NSUbiquitousContainers",
                    "NSUbiquitousContainers must be a dictionary, not \(ubiquitous.noun)")
            }
        }
        containers = found.sorted()
    }

    private mutating func readTeam(_ value: ManifestValue) {
        teamIdentifier = text(value, "com.apple.developer.team-identifier")
        guard teamIdentifier == nil, let whole = text(value, "application-identifier") else {
            return
        }
        teamIdentifier = whole.split(separator: ".").first.map { String($0) }
    }

    private mutating func readSynonyms(_ value: ManifestValue) {
        let key = "INAlternativeAppNames"
        guard let member = value[key] else { return }
        guard let list = member.list else {
            report(.wrongKind, key, "\(key) must be an array, not \(member.noun)")
            return
        }
        for (index, element) in list.enumerated() {
            guard let name = element["INAlternativeAppName"]?.text, !name.isEmpty else {
                report(
                    .emptyName, key, "\(key)[\(index)] has no name under INAlternativeAppName")
                continue
            }
            synonyms.append(
                Synonym(
                    name: name,
                    pronunciation: element["INAlternativeAppNamePronunciationHint"]?.text))
        }
        if list.count > 3 {
            report(
                .tooManySynonyms, key,
                "\(key) has \(list.count) names; only the first three are used")
        }
    }
}

// Checks
extension Manifest {
    private mutating func checkIdentifiers() {
        if let bundleIdentifier, let problem = Self.problem(in: bundleIdentifier) {
            report(
                .notReverseDNS, "CFBundleIdentifier",
                "CFBundleIdentifier \"\(bundleIdentifier)\" \(problem)")
        }
        let key = "NSUserActivityTypes"
        var seen: Set<String> = []
        for type in activityTypes {
            if !seen.insert(type).inserted {
                report(.repeated, key, "\(key) names \"\(type)\" more than once")
            } else if type.isEmpty {
                report(.emptyName, key, "\(key) has an empty type")
            } else if !Self.systemTypes.contains(type), let problem = Self.problem(in: type) {
                report(.notReverseDNS, key, "\(key): \"\(type)\" \(problem)")
            }
        }
    }

    private mutating func checkIntents() {
        let supported = Set(intents)
        for name in intentsRestrictedWhileLocked where !supported.contains(name) {
            report(
                .restrictedNotSupported, "IntentsRestrictedWhileLocked",
                "\"\(name)\" is restricted while locked but not among the supported intents "
                    + "(error 2002)")
        }
        var seen: Set<String> = []
        for name in intents where !seen.insert(name).inserted {
            report(.repeated, "IntentsSupported", "\"\(name)\" is supported more than once")
        }
    }

    /// Types that are Apple's and so not in the app's own domain.
    private static let systemTypes: Set<String> = [
        "NSUserActivityTypeBrowsingWeb", "com.apple.corespotlightitem",
        "com.apple.corespotlightquerycontinuation",
    ]

    /// What keeps a text from being a name such as `com.example.app.reading`; nil: nothing.
    package static func problem(in text: String) -> String? {
        if text.contains("$(") { return "contains an unresolved build setting" }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count < 2 { return "is not a reverse-DNS name such as com.example.reading" }
        if parts.contains(where: { $0.isEmpty }) { return "has an empty part between its dots" }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        return isPlain ? nil : "has characters other than letters, digits, \"-\", \"_\" and \".\""
    }
}

/// One thing wrong in a manifest.
package struct ManifestFinding: Sendable, Hashable {
    /// The kinds of mistakes.
    package enum Code: String, Sendable, CaseIterable {
        case wrongKind
        case emptyName
        case repeated
        case notReverseDNS
        case restrictedNotSupported
        case tooManySynonyms
    }

    package let code: Code
    /// The key it is about; empty for the whole.
    package let key: String
    package let message: String

    package init(code: Code, key: String, message: String) {
        self.code = code
        self.key = key
        self.message = message
    }
}
