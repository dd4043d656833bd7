import JSON

/// The first line of a recording.
package struct RecordingHead: Sendable, Hashable {
    /// What follows this in the file may look different in another version.
    static let version = 1

    /// The variables with which the program found its tokens, as stand-ins.
    package let variables: [String: String]

    package init(variables: [String: String]) { self.variables = variables }

    var line: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("recording", Self.version)
            writer.object("variables") { writer in
                for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
                    writer.member(name, value)
                }
            }
        }
        writer.endLine()
        return writer.bytes
    }

    /// Reads the line.
    init(_ root: JSONValue) throws(RecordingError) {
        guard let version = root["recording"]?.int64 else {
            throw RecordingError(
                .format, "line 1: this is not a recording of \"cloudkit-mock record\"")
        }
        guard version == Self.version else {
            throw RecordingError(
                .format,
                "line 1: the recording has version \(version), and this program reads "
                    + "version \(Self.version)")
        }
        var variables: [String: String] = [:]
        for member in root["variables"].map({ Array($0.members) }) ?? [] {
            guard let value = member.value.string else {
                throw RecordingError(.format, "line 1: \(member.key) must be a string")
            }
            variables[member.key] = value
        }
        self.variables = variables
    }
}
