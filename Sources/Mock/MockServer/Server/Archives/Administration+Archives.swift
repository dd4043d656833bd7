import FileSystem
import HTTPServer
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
    private func apply(_ settings: ImportedSettings) {
        if let settings = settings.value {
            options = settings.options
            var setting = settings.clock
            // Delays that ended stay ended.
            setting.advanced = scheduler.clock.setting.advanced
            scheduler.clock.setting = setting
        }
        noteReset(clockToo: true)
    }

    // MARK: - Before the server listens, and after

    /// Puts the archive of a file in; what the configuration names is there too, and as it says.
    func load(archive path: String, _ files: Files) throws(MockServerError) {
        do throws(AdminError) {
            do throws(MockStoreError) {
                let settings = ImportedSettings()
                let job = ImportJob(
                    ArchiveLines(of: try Self.open(files.absolute(path))), settings: settings.read)
                while try job.runSlice(store) { try scheduler.batches.commit() }
                apply(settings)
                try store.prepare(configuration)
                try scheduler.batches.commit()
            } catch {
                throw AdminError(error)
            }
            var switches = options
            if configuration.containers == nil { switches.store.autoCreateContainers = true }
            for assignment in configuration.chosenSwitches { try switches.set(assignment) }
            options = switches
        } catch {
            throw MockServerError(.input, "\(path): \(error.reason)")
        }
    }

    private static func open(_ path: String) throws(MockStoreError) -> ByteFile {
        do throws(FileError) {
            return try ByteFile(reading: path)
        } catch {
            throw MockStoreError(.refused, error.description)
        }
    }

    /// Writes an archive to a file, which is replaced once the archive is whole.
    func export(to path: String, _ files: Files) throws(MockServerError) {
        do throws(FileError) {
            var file = try WholeFile(files.absolute(path), named: path)
            do throws(MockStoreError) {
                let writer = ArchiveWriter(
                    try StoreCopy(forArchiveOf: store).finish(),
                    settings: ArchivedSettings(options, scheduler.clock.setting).line)
                while let piece = try writer.next() {
                    do throws(FileError) {
                        try file.write(piece)
                    } catch {
                        throw MockStoreError(.failed, error.description)
                    }
                }
            } catch {
                throw FileError(path, "cannot be exported to: \(error.description)")
            }
            try file.finish()
        } catch {
            throw MockServerError(.storage, error.description)
        }
    }
}
