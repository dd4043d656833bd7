import FileSystem
import MockAdmin
import MockService
import MockStore

/// Archives in files, before the server listens and after it has ended.
extension NamespaceHost {
    /// Puts the archive of a file in; what the configuration names is there too, and as it says.
    func load(archive path: String, _ files: Files) throws(MockServerError) {
        do throws(MockError) {
            do throws(MockStoreError) {
                let settings = ImportedSettings()
                let job = ImportJob(
                    ArchiveLines(of: try Self.open(files.absolute(path))), settings: settings.read)
                try finish(job)
                administration.apply(settings)
                try store.prepare(configuration)
                try commit()
            } catch {
                throw MockError(error)
            }
            var options = administration.options
            if configuration.containers == nil { options.store.autoCreateContainers = true }
            for assignment in configuration.chosenSwitches { try options.set(assignment) }
            administration.options = options
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
                    settings: ArchivedSettings(administration.options, clock.setting).line)
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
