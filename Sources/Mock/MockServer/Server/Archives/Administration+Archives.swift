import FileSystem
import HTTPServer

extension Administration {
    /// Replaces everything in the store by an archive.
    func restore(_ job: ImportJob) -> RequestOutcome {
        .job(job) { [self] in
            finish(job)
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

    /// Takes over what the archive says of the server itself, in the batch that the job ended in.
    private func finish(_ job: ImportJob) {
        if let world = job.world {
            options = world.options
            var setting = world.clock
            // What was waited for stays waited for.
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
                let job = ImportJob(ArchiveLines(of: try Self.open(files.absolute(path))))
                while try job.runSlice(store) { try scheduler.batches.commit() }
                finish(job)
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
                    ArchiveWorld(options, scheduler.clock.setting))
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
