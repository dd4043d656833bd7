import HTTPServer
import MockService
import MockStore

extension Administration {
    /// Replaces everything in the store by an archive.
    func restore(_ archive: ArchiveLines) -> RequestOutcome {
        let settings = ImportedSettings()
        let job = ImportJob(archive, settings: settings.read)
        return .job(job) { [self] in
            apply(settings)
            return .object { writer in
                writer.member("users", job.counts.users)
                writer.member("databases", job.counts.databases)
                writer.member("zones", job.counts.zones)
                writer.member("records", job.counts.records)
                writer.member("assets", job.counts.assets)
                writer.member("generation", generation)
            }
        }
    }

    /// Applies the settings of an archive, in the batch in which its import ended.
    package func apply(_ settings: ImportedSettings) {
        if let settings = settings.value {
            options = settings.options
            var setting = settings.clock
            // Delays that ended stay ended.
            setting.advanced = scheduler.clock.setting.advanced
            scheduler.clock.setting = setting
        }
        noteReset(clockToo: true)
    }
}
