package import CloudModel
internal import JSON

/// One line of a dump: a JSON object.
///
/// A dump is the databases of a user, or the public ones, by their address; after each its zones by
/// name, after each of these its records by name; then the database's subscriptions. Equal data give
/// equal bytes.
package enum DumpLine: Sendable {
    /// `{"database": "iCloud.com.example.app/development/private", "user": "ann"}`; no user with a
    /// public database.
    case database(Database.Address, user: String?)
    /// `{"zone": "Notes"}`
    case zone(String)
    /// `{"record": { … }}` with the keys of `records/lookup`; encrypted fields say so.
    case record(Record)
    /// `{"subscription": { … }, "user": "_0123"}` with the keys of `subscriptions/lookup`, and the
    /// record name of the user whose it is.
    case subscription(Subscription, userRecordName: String)

    /// The line's JSON and a line feed.
    package var text: [UInt8] {
        var json = JSONWriter()
        json.object { write(to: &$0) }
        json.endLine()
        return json.bytes
    }

    /// A record as `records/lookup` answers it.
    ///
    /// - Parameter numbersAsStrings: For readers whose numbers hold fewer digits than an INT64.
    package static func json(of record: Record, numbersAsStrings: Bool = false) -> [UInt8] {
        var json = JSONWriter()
        json.object { $0.record(record, numbersAsStrings: numbersAsStrings) }
        return json.bytes
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .database(let address, let user):
            json.member("database", address.description)
            json.member("user", user)
        case .zone(let name): json.member("zone", name)
        case .record(let record): json.object("record") { $0.record(record) }
        case .subscription(let subscription, let user):
            json.key("subscription")
            json.subscription(subscription)
            json.member("user", user)
        }
    }
}
