/// What a `project.pbxproj` says about its targets, as far as containers depend on it.
package struct XcodeProject: Sendable {
    /// One for each target and configuration.
    package let settings: [BuildSettings]
    /// Container identifiers that stand in the file itself, in whatever setting.
    package let mentioned: [String]

    /// Reads a project file.
    ///
    /// - Parameters:
    ///   - folder: Where the project's paths start: the folder that holds the `.xcodeproj`.
    ///   - configurationFile: The text of an `.xcconfig` file by its name.
    /// - Returns: nil when the text is not a project file.
    package init?(
        _ bytes: [UInt8], folder: String, configurationFile: (String) -> String?
    ) {
        guard let document = PropertyList.read(bytes), let objects = document["objects"],
            let all = objects.dictionary
        else { return nil }
        let root = document["rootObject"]?.text.flatMap { objects[$0] }
        let base = ["SRCROOT": folder, "PROJECT_DIR": folder, "SOURCE_ROOT": folder]
        func configurations(_ owner: PropertyList?) -> [PropertyList] {
            guard let key = owner?["buildConfigurationList"]?.text,
                let list = objects[key]?["buildConfigurations"]
            else { return [] }
            return list.texts.compactMap { objects[$0] }
        }
        func values(_ configuration: PropertyList) -> [String: String] {
            var values: [String: String] = [:]
            if let key = configuration["baseConfigurationReference"]?.text,
                let path = objects[key]?["path"]?.text,
                let text = configurationFile(path)
            {
                values = Self.readConfigurationFile(text)
            }
            for (key, value) in configuration["buildSettings"]?.dictionary ?? [:] {
                values[key] = value.texts.joined(separator: " ")
            }
            return values
        }
        let shared = configurations(root)
        let targets = all.values.filter { $0["isa"]?.text?.hasSuffix("Target") == true }
        let named = targets.map { ($0["name"]?.text ?? "?", $0) }.sorted { $0.0 < $1.0 }
        var settings: [BuildSettings] = []
        for (name, target) in named {
            for configuration in configurations(target) {
                let title = configuration["name"]?.text ?? "?"
                let inherited = shared.first { $0["name"]?.text == title }.map { values($0) } ?? [:]
                let own = ["TARGET_NAME": name, "CONFIGURATION": title]
                let product = ["PRODUCT_NAME": name]
                let merged = product.merging(inherited) { $1 }.merging(values(configuration)) {
                    $1.contains("$(inherited)") ? $0 : $1
                }
                settings.append(
                    BuildSettings(
                        name: "\(name) (\(title))", merged.merging(own) { $1 }.merging(base) { $1 })
                )
            }
        }
        self.settings = settings
        mentioned = Set(document.allTexts.flatMap { Self.identifiers(in: $0) }).sorted()
    }

    /// Words of a setting that are container identifiers.
    private static func identifiers(in text: String) -> [String] {
        guard text.hasPrefix("iCloud.") || text.contains(" iCloud.") else { return [] }
        return text.split(separator: " ").map { String($0) }.filter { $0.hasPrefix("iCloud.") }
    }

    /// `KEY = VALUE` lines; conditions such as `KEY[sdk=…]` and includes are left out.
    static func readConfigurationFile(_ text: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: { $0.isNewline }).prefix(10_000) {
            let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
            let parts = code.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let key = parts[0].trimmingBlank
            let value = parts[1].trimmingBlank
            if !key.isEmpty, !key.contains("["), !key.hasPrefix("#") { values[key] = value }
        }
        return values
    }
}

extension Substring {
    /// Without blanks at both ends.
    package var trimmingBlank: String {
        var rest = self.drop { $0.isWhitespace }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}
