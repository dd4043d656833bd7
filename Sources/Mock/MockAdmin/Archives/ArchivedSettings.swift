package import JSON
package import MockService
package import MockStore

/// The settings of a server and of its clock, as an archive has them.
package struct ArchivedSettings {
    let options: ServerOptions
    let clock: ServerClock.Setting

    package init(_ options: ServerOptions, _ clock: ServerClock.Setting) {
        (self.options, self.clock) = (options, clock)
    }

    /// Settings that an earlier version did not have keep their defaults.
    init(_ json: JSONValue) throws(ArchiveError) {
        do throws(MockError) {
            try json.allow(["switches", "clock"])
            guard let switches = json["switches"], let clock = json["clock"] else {
                throw MockError("needs \"switches\" and \"clock\"")
            }
            try switches.allow(ServerOptions.names + ServerOptions.faultsInstead.keys)
            options = try ServerOptions().changed(by: switches)
            self.clock = try ServerClock.Setting(clock)
        } catch {
            throw ArchiveError(error, in: json)
        }
    }

    /// The line of an archive.
    package var line: [UInt8] {
        ArchiveWriter.settings { writer in
            writer.object("switches", options.write)
            writer.object("clock", clock.write)
        }
    }
}

/// The settings of an archive that is being imported.
package final class ImportedSettings {
    /// nil until their line has been read.
    private(set) var value: ArchivedSettings?

    package init() {}

    package func read(_ json: JSONValue) throws(ArchiveError) { value = try ArchivedSettings(json) }
}

extension ArchiveError {
    /// The problem in a line, at its position in a text of one line.
    fileprivate init(_ error: MockError, in json: JSONValue) {
        let parts = error.reason.split(separator: " (line 1, column ", maxSplits: 1)
        guard parts.count == 2, let column = Int(parts[1].dropLast()) else {
            self.init(json, error.reason)
            return
        }
        self.init(column: column, String(parts[0]))
    }
}
