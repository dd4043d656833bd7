package import FileSystem

/// Reads `.xcconfig` files with the files they include.
package struct ConfigurationFile {
    private let files: Files
    private let configuration: String
    private static let depthMax = 32
    private static let bytesMax = 1 << 20

    /// - Parameter configuration: The build configuration that the settings are read for.
    package init(files: Files, configuration: String) {
        self.files = files
        self.configuration = configuration
    }

    /// The settings of a file. What cannot be read or understood is a doubt of the layer.
    package func read(_ path: String) -> SettingsLayer { read(path, including: []) }

    private func read(_ path: String, including: [String]) -> SettingsLayer {
        var layer = SettingsLayer()
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(path, bytesMax: Self.bytesMax)
        } catch {
            layer.doubt(error.description)
            return layer
        }
        for (index, line) in SourceText(bytes).lines.enumerated() {
            let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line[...]
            let text = code.trimmed
            if text.isEmpty { continue }
            let place = "\(path):\(index + 1)"
            if text.hasPrefix("#include") {
                // A path may hold "//": it is taken from the whole line.
                include(line.trimmed, at: place, in: path, including, &layer)
                continue
            }
            guard let equals = Self.assignment(in: text) else {
                layer.doubt("\(place): \"\(text)\" is neither a setting nor an #include")
                continue
            }
            var value = text[text.index(after: equals)...].trimmed
            while value.hasSuffix(";") { value = value.dropLast().trimmed }
            layer.set(
                String(text[..<equals].trimmed), to: value, in: configuration)
        }
        return layer
    }

    /// The sign after a setting's name; those in a condition are none.
    private static func assignment(in text: String) -> String.Index? {
        var isCondition = false
        for index in text.indices {
            switch text[index] {
            case "[": isCondition = true
            case "]": isCondition = false
            case "=" where !isCondition: return index > text.startIndex ? index : nil
            default: continue
            }
        }
        return nil
    }

    private func include(
        _ text: String, at place: String, in path: String, _ including: [String],
        _ layer: inout SettingsLayer
    ) {
        let isOptional = text.hasPrefix("#include?")
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count >= 3, !parts[1].isEmpty else {
            layer.doubt("\(place): #include names no file")
            return
        }
        let named = String(parts[1])
        let folder = FilePath.folder(of: path)
        let target = named.hasPrefix("/") ? named : FilePath.join(folder, named)
        let found = [target, target + ".xcconfig"].first { files.facts($0)?.isFile == true }
        guard let found else {
            if !isOptional { layer.doubt("\(place): cannot read \"\(named)\": it is missing") }
            return
        }
        let chain = including + [FilePath.normal(files.absolute(path))]
        guard !chain.contains(FilePath.normal(files.absolute(found))), chain.count < Self.depthMax
        else {
            layer.doubt("\(place): \"\(named)\" includes itself or is nested too deeply")
            return
        }
        layer.include(read(found, including: chain))
    }
}
