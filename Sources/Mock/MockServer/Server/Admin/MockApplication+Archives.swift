import FileSystem
import HTTPServer
import JSON

extension MockApplication {
    static let exportPath = "export"

    /// All that the store holds, as one archive.
    func export() throws(AdminError) -> RequestOutcome {
        let job: ExportJob
        do throws(MockStoreError) { job = try ExportJob(store) } catch { throw AdminError(error) }
        return .job(job) { [self] in
            guard let image = job.image else {
                return HTTPResponse(AdminError(status: 500, "nothing was copied"))
            }
            return HTTPResponse(
                status: 200,
                headers: ["content-type": "application/x-ndjson", "cache-control": "no-store"],
                source: ExportSource(
                    ArchiveWriter(
                        image, ArchiveWorld(options, clock.setting))))
        }
    }

    /// Puts an archive in the place of all that the store holds, and answers what was put in.
    func answer(to job: ImportJob) -> RequestOutcome {
        .job(job) { [self] in
            finish(job)
            return HTTPResponse.object { writer in
                writer.member("users", job.counts.users)
                writer.member("databases", job.counts.databases)
                writer.member("zones", job.counts.zones)
                writer.member("records", job.counts.records)
                writer.member("assets", job.counts.assets)
                writer.member("generation", generation)
            }
        }
    }

    /// Has what the archive says of the server itself, in the turn that the job ended in.
    private func finish(_ job: ImportJob) {
        if let world = job.world {
            options = world.options
            var setting = world.clock
            // What was waited for stays waited for.
            setting.advanced = clock.setting.advanced
            clock.setting = setting
        }
        faults.pages.forget()
        observers.forgetPositions()
        generation += 1
        observers.note(.reset(generation: generation))
        noteClock()
    }

    // MARK: - Before the server listens, and after

    /// Puts the archive of a file in; what the configuration names is there too, and as it says.
    func begin(withArchive path: String, _ files: Files) throws(MockServerError) {
        do throws(AdminError) {
            do throws(MockStoreError) {
                let job = ImportJob(ArchiveLines(of: try Self.open(files.absolute(path))))
                while try job.runSlice(store) { try commit() }
                finish(job)
                try Self.prepare(store, configuration)
                try commit()
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
                    ArchiveWorld(options, clock.setting))
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

    /// The answer to `GET export`, piece by piece.
    private final class ExportSource: HTTPBodySource {
        private let writer: ArchiveWriter
        let length: Int? = nil

        init(_ writer: ArchiveWriter) { self.writer = writer }

        func next() throws -> HTTPBodyPiece { try writer.next().map { .bytes($0) } ?? .end }
    }
}
