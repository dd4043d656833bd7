/// The words of the wire for what people and devices write.
enum Wire {
    static func createZone(
        _ zone: String, user: String, at place: String
    ) -> DeviceWrite {
        DeviceWrite(
            user: user, path: place + "/zones/modify",
            body: """
                {"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\(zone)"}}}]}
                """)
    }

    static func deleteZone(_ zone: String, user: String, at place: String) -> DeviceWrite {
        DeviceWrite(
            user: user, path: place + "/zones/modify",
            body: """
                {"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"\(zone)"}}}]}
                """)
    }

    /// Shares a zone with whoever comes, who may write there.
    static func shareForWriting(_ zone: String, user: String, at place: String) -> DeviceWrite {
        DeviceWrite(
            user: user, path: place + "/records/modify",
            body: """
                {"zoneID":{"zoneName":"\(zone)"},"operations":[{"operationType":"create","record":\
                {"recordName":"cloudkit.zoneshare","recordType":"cloudkit.share",\
                "publicPermission":"READ_WRITE"}}]}
                """)
    }

    /// A record to be written.
    struct Draft: Sendable {
        var name: String
        var type: String
        /// Field, target and action.
        var references: [(field: String, target: String, action: Edge.Action)] = []
        var parent: String?
    }

    /// - Parameter owner: The record name of whose zone it is; nil: the user's own.
    static func save(
        _ records: [Draft], verb: String = "forceUpdate", zone: String, owner: String? = nil,
        user: String, at place: String
    ) -> DeviceWrite {
        let operations = records.map { record in
            var fields = [#""title":{"value":"\#(record.name)","type":"STRING"}"#]
            for reference in record.references {
                fields.append(
                    """
                    "\(reference.field)":{"value":{"recordName":"\(reference.target)",\
                    "action":"\(reference.action.rawValue)"},"type":"REFERENCE"}
                    """)
            }
            let parent = record.parent.map { #","parent":{"recordName":"\#($0)"}"# } ?? ""
            return """
                {"operationType":"\(verb)","record":{"recordName":"\(record.name)",\
                "recordType":"\(record.type)","fields":{\(fields.joined(separator: ","))}\(parent)}}
                """
        }
        let whose = owner.map { #","ownerRecordName":"\#($0)""# } ?? ""
        return DeviceWrite(
            user: user, path: place + "/records/modify",
            body: """
                {"zoneID":{"zoneName":"\(zone)"\(whose)},"atomic":false,\
                "operations":[\(operations.joined(separator: ","))]}
                """)
    }

    static func delete(
        _ record: String, zone: String, user: String, at place: String
    ) -> DeviceWrite {
        DeviceWrite(
            user: user, path: place + "/records/modify",
            body: """
                {"zoneID":{"zoneName":"\(zone)"},"atomic":false,"operations":[\
                {"operationType":"forceDelete","record":{"recordName":"\(record)"}}]}
                """)
    }

    /// - Parameter type: The type that is watched; nil watches the database.
    static func subscribe(
        _ id: String, to type: String?, user: String, at place: String
    ) -> DeviceWrite {
        let what =
            type.map {
                """
                "subscriptionType":"query","query":{"recordType":"\($0)"},"firesOn":["create"]
                """
            } ?? #""subscriptionType":"database""#
        return DeviceWrite(
            user: user, path: place + "/subscriptions/modify",
            body: """
                {"operations":[{"operationType":"create","subscription":\
                {"subscriptionID":"\(id)",\(what)}}]}
                """)
    }

    static func unsubscribe(_ id: String, user: String, at place: String) -> DeviceWrite {
        DeviceWrite(
            user: user, path: place + "/subscriptions/modify",
            body: """
                {"operations":[{"operationType":"delete","subscription":{"subscriptionID":"\(id)"}}]}
                """)
    }
}
