/// Operations as a client sends them.
package enum Wish {
    package static func zone(_ name: String, _ verb: String) -> Value {
        ["operationType": .string(verb), "zone": ["zoneID": ["zoneName": .string(name)]]]
    }

    /// - Parameters:
    ///   - target: A record of the same zone that this one is to be deleted with.
    ///   - zone: nil: the default zone.
    package static func record(
        _ name: String, _ type: String, referringTo target: String? = nil, in zone: String? = nil
    ) -> Value {
        let zoneID: Value = ["zoneName": .string(zone ?? "_defaultZone")]
        var fields: Value = ["title": ["value": .string("about \(name)")]]
        if let target {
            fields["about"] = [
                "value": [
                    "recordName": .string(target), "action": "DELETE_SELF", "zoneID": zoneID,
                ],
                "type": "REFERENCE",
            ]
        }
        return [
            "operationType": "forceUpdate",
            "record": [
                "recordName": .string(name), "recordType": .string(type), "zoneID": zoneID,
                "fields": fields,
            ],
        ]
    }

    package static func subscription(_ name: String, to type: String) -> Value {
        [
            "operationType": "create",
            "subscription": [
                "subscriptionID": .string(name), "subscriptionType": "query",
                "query": ["recordType": .string(type)], "firesOn": ["create"],
            ],
        ]
    }
}
