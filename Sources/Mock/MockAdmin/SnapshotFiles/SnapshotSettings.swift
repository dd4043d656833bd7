import JSON
package import MockService
package import MockStore

/// The settings of a server and of its clock, as a snapshot file has them.
package struct SnapshotSettings {
    let options: ServerOptions
    let clock: ServerClock.Setting

    package init(_ options: ServerOptions, _ clock: ServerClock.Setting) {
        (self.options, self.clock) = (options, clock)
    }

    /// Reads those of a file; settings that an earlier version did not have keep their defaults.
    package init(_ file: SnapshotReader) throws(MockError) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONDocument.parse(Array(file.settings.utf8)).root
        } catch {
            throw MockError("the settings in the snapshot file are not JSON: \(error.reason)")
        }
        try json.allow(["options", "clock"])
        guard let options = json["options"], let clock = json["clock"] else {
            throw MockError("the settings in the snapshot file need \"options\" and \"clock\"")
        }
        try options.allow(ServerOptions.names)
        self.options = try ServerOptions().changed(by: options)
        self.clock = try ServerClock.Setting(clock)
    }

    /// As they are written to a file.
    package var text: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.object("options", options.write)
            writer.object("clock", clock.write)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
