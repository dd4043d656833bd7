internal import CloudModel
internal import JSON

/// The service's limits, each with where it stands written.
///
/// "Property Metrics" is the page of that name in *CloudKit Web Services Reference*; `CKError.h`
/// and the CloudKit pages are of the native framework.
///
/// - SeeAlso: <https://developer.apple.com/library/archive/documentation/DataManagement/Conceptual/CloudKitWebServicesReference/PropertyMetrics.html>
package enum WireLimits {
    /// Operations in one request (Property Metrics).
    package static let operationsMax = 200
    /// Records in one answer: default and maximum of `resultsLimit` (Property Metrics).
    package static let resultsMax = ReplyCheck.recordsMax
    /// Items in one lookup (Property Metrics, "operations per request").
    package static let lookupsMax = operationsMax
    /// Addresses for assets in one request (Property Metrics).
    package static let assetTokensMax = 200
    /// Bytes of one asset (Property Metrics; *Uploading Assets* says 15 MB).
    package static let assetBytesMax = 50 << 20
    /// Seconds that an upload's address is good for (*Uploading Assets*).
    package static let uploadSecondsMax: Int64 = 15 * 60
    /// Queries in one batch. Ours: Apple's web apps send a few.
    package static let batchQueriesMax = 10
    /// Bytes of a record without its assets (Property Metrics; `CKRecord`).
    package static let recordBytesMax = 1 << 20
    /// Bytes of a request without assets (`CKError.h`, code 27).
    package static let requestBytesMax = 2 << 20
    /// Bytes of a body that is read before it is judged. Ours: who sends somewhat more than
    /// ``requestBytesMax`` is told so in the service's words.
    static let bodyBytesMax = requestBytesMax + (64 << 10)
    /// The same of a request without arguments, which can only say how it is to be answered. Ours.
    static let optionsBytesMax = 64 << 10
    /// Zones in one answer of `zones/list`. Ours.
    package static let zonesMax = 1_000
    /// Bytes of records after which a page ends early. Ours.
    package static let pageBytesMax = 8 << 20
    /// Full pages in one answer of `changes/zone` or of a batch of queries; the next end early. Ours.
    package static let feedPagesMax = 4
    /// Characters of a record type, a field, a subscription ID or a role (schema language; `CKRecord`).
    package static let identifierMax = 255
    /// Records that a query looks at for one page, which may then have few or none. Ours.
    package static let scannedMax = 2_000
    /// Records that a query with sorts adds to its index for one page. Ours.
    package static let indexedMax = 1_000
    /// Filters, and sorts, of one query. Ours.
    package static let filtersMax = 50
    /// Values that one filter compares with. Ours.
    package static let filterValuesMax = 250
    /// UTF-8 bytes of a filter's texts. Ours.
    package static let filterTextMax = 128 << 10
    /// UTF-8 bytes of the words that a filter looks for. Ours.
    package static let filterWordsMax = 4096
    /// Records that go with one that is deleted, and with those. Ours.
    package static let cascadeMax = 2_000
    /// Records that one request can take into shared hierarchies or out of them by moving others.
    /// Ours.
    package static let hierarchyMovesMax = 5_000
    /// Snapshots that are kept at once. Ours.
    package static let snapshotsMax = 8
    /// Subscriptions of one user in a database. Ours.
    package static let subscriptionsMax = 1_000
    /// References that delete themselves with one target (Property Metrics;
    /// `CKRecord.ReferenceAction`).
    package static let deleteSelfReferencesMax = 750
    /// Devices of one user in one container that get pushes; the oldest goes first. Ours.
    package static let devicesOfUserMax = 100
    /// Devices in all that get pushes. Ours.
    package static let devicesMax = 10_000
    /// Pushes kept for one device, delivered or not; the oldest goes first. Ours.
    package static let pushesOfDeviceMax = 100
    /// Pushes kept in all. Ours.
    package static let pushesMax = 10_000
    /// Bytes of a push (APNs); what is longer goes out without what it could do without.
    package static let pushBytesMax = 4096
    /// Fields of the record that are sent along with a push (`CKSubscription.NotificationInfo.desiredKeys`).
    package static let pushFieldsMax = 3
    /// Values for the text of a push. Ours.
    package static let pushArgumentsMax = 8
    /// Bytes of a value that is sent along with a push. Ours: a push has 4096 in all.
    package static let pushValueBytesMax = 256
    /// Requests of one device that can wait for a push; a client that has gone leaves some behind. Ours.
    package static let pollsOfDeviceMax = 4
    /// Requests in all that can wait for a push. Ours.
    package static let pollsMax = 1_000
    /// Namespaces of one server. Ours.
    package static let namespacesMax = 1_000
    /// Characters of a push token. Ours: those of devices have 64 digits, and may grow.
    static let pushTokenMax = 512
    /// Seconds that a web session lives of those who stay signed in; of others 30 minutes (*Setting
    /// Up Web Services*).
    package static let webSessionSecondsMax: Int64 = 14 * 86_400
    /// Runs of used web tokens that are kept apart where each is good once: so many sign-ins can wait for their
    /// next request. Ours.
    package static let spentRunsMax = 10_000
    /// Clock skew allowed in signed requests. Not published; ours.
    package static let signatureSkewMax: Duration = .seconds(600)

    /// Objects and arrays inside one another in a request. Ours: a location in a list in a field
    /// of a record of an operation is 8 deep.
    package static let requestDepthMax = 32
    /// Bytes of an answer that a client reads. Ours: what is made of an answer takes up to four
    /// times its size, and no answer may take more than 64 MiB. 200 records of 80 KB fit.
    package static let responseBytesMax = 16 << 20
    /// Brackets, commas and colons of an answer that a client reads. Ours, for the same reason:
    /// 20,000 zones have 300,000.
    package static let responseMarksMax = 500_000
    static let response = JSONLimits(bytesMax: responseBytesMax, marksMax: responseMarksMax)
    /// Characters of a server's `reason` that are kept. Ours.
    package static let reasonMax = 500
}
