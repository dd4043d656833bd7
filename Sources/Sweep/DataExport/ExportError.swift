/// Why an export cannot be made, gone on with, or believed.
package struct ExportError: Error, Sendable, Hashable {
    /// The kind of failure.
    package enum Code: String, Sendable, CaseIterable {
        /// The folder holds something else than an export.
        case notAnExport
        /// It holds an export of somebody or something else, or one that is finished.
        case otherExport
        /// Others can look into it.
        case notPrivate
        /// Another process is at work in it.
        case locked
        case diskFull
        /// There are more zones than a manifest can name.
        case tooLarge
        case inputOutput
        /// What is there is not what the manifest says, or no export wrote it.
        case damaged
        /// What the service sent is not the asset that the record names.
        case otherAsset
    }

    package let code: Code
    /// Words for people. Never names of zones or records.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
