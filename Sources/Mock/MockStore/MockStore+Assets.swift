package import CloudModel
import CloudWire
package import FileSystem

/// The bytes of assets, for those that have no loop.
extension MockStore {
    /// Takes a whole file at an address of `assets/upload`.
    package func receiveAsset(_ bytes: [UInt8], at url: String) throws(CloudError) -> Asset {
        let path = WireTransfer.upload.token(in: url) ?? ""
        let upload = try transferring { () throws(CloudError) in
            try assets.upload(at: path, now: context.clock.now)
        }
        let file = try assets.store(bytes)
        defer { assets.settle(file.digest) }
        return try transferring { () throws(CloudError) in
            try assets.receive(file, at: upload.id, now: context.clock.now)
        }
    }

    /// The whole file behind an address in a record.
    package func assetBytes(at url: String) throws(CloudError) -> [UInt8] {
        let path = WireTransfer.download.token(in: url) ?? ""
        let download = try transferring { () throws(CloudError) in
            try assets.download(at: path, now: context.clock.now)
        }
        do throws(FileError) {
            let folder = try assets.disk().folder
            return try Files(workingFolder: "/").read(folder.file(download.file.digest))
        } catch {
            throw CloudError(.internalError, reason: "cannot read the asset's file")
        }
    }

    /// Waits until the disk has done with files of assets what it was asked for, and removes those that
    /// are kept for the time of the process only.
    package func close() { assets.close() }

    /// Does what is no command, as a client sees it.
    package func transferring<Result>(
        _ body: () throws(CloudError) -> Result
    ) throws(CloudError) -> Result {
        guard context.tables.failure == nil else {
            throw CloudError(.internalError, reason: "the store failed")
        }
        return try body()
    }
}

extension CloudError {
    /// The disk did not take an upload.
    package static func assetNotStored(_ error: FileError) -> CloudError {
        CloudError(
            .internalError, reason: "the file could not be stored: \(error.reason)")
    }
}
