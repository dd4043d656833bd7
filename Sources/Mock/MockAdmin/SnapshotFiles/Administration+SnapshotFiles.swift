import HTTPServer
import MockService
import MockStore

extension Administration {
    /// Replaces everything in the store by a snapshot file.
    ///
    /// - Throws: ``MockError`` where the file is not one.
    func restore(_ file: SnapshotFile) throws(MockError) -> RequestOutcome {
        let reader = try storing { () throws(MockStoreError) in
            try store.reader(ofFile: file.path)
        }
        let settings = try SnapshotSettings(reader)
        return .job(RestoreJob(reader)) { [self] in
            // The file is needed until all of it is read.
            withExtendedLifetime(file) { apply(settings) }
            let counts = reader.counts
            return .object { writer in
                writer.member("users", counts.users)
                writer.member("databases", counts.databases)
                writer.member("zones", counts.zones)
                writer.member("records", counts.records)
                writer.member("assets", counts.assets)
                writer.member("generation", generation)
            }
        }
    }

    /// Applies the settings of a snapshot file, in the batch in which it was restored.
    package func apply(_ settings: SnapshotSettings) {
        options = settings.options
        var setting = settings.clock
        // Delays that ended stay ended.
        setting.advanced = scheduler.clock.setting.advanced
        scheduler.clock.setting = setting
        noteReset(clockToo: true)
    }
}
