import FileSystem
import MockAdmin
import MockService
import MockStore

/// Snapshot files, before the server listens and after it has ended.
extension NamespaceHost {
    /// Restores a snapshot file; the users, containers and settings of the configuration are added to it.
    func restore(_ path: String, _ files: Files) throws(MockServerError) {
        do throws(MockError) {
            do throws(MockStoreError) {
                let reader = try store.reader(ofFile: files.absolute(path))
                let settings: SnapshotSettings
                do throws(MockError) {
                    settings = try SnapshotSettings(reader)
                } catch {
                    throw MockStoreError(.malformed, error.reason)
                }
                try finish(RestoreJob(reader))
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

    /// Saves a snapshot file; an existing one is replaced once it is complete.
    func save(to path: String, _ files: Files) throws(MockServerError) {
        do throws(FileError) {
            var file = try WholeFile(files.absolute(path), named: path)
            let snapshot: SnapshotFile
            do throws(MockStoreError) {
                snapshot = try SnapshotWriter(
                    try StoreCopy(forFileOf: store).finish(),
                    settings: SnapshotSettings(administration.options, clock.setting).text
                ).finish()
            } catch {
                throw FileError(path, "cannot be saved: \(error.description)")
            }
            let written = try ByteFile(reading: snapshot.path)
            var place = 0
            while let piece = try written.read(upTo: 1 << 20, at: place) {
                try file.write(piece)
                place += piece.count
            }
            try file.finish()
        } catch {
            throw MockServerError(.storage, error.description)
        }
    }
}
