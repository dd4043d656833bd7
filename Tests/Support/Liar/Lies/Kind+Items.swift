extension Kind {
    /// True of a list with one item.
    static let lastAsFirst = Kind.items("the last item a copy of the first") { items, _ in
        if let first = items.first { items[items.count - 1] = first }
    }

    /// Lists that hold less than there is, in ways that a reader may take for an end.
    static let hidingItems: [Kind] = [
        .items("an empty list") { items, _ in items = [] },
        .items("the first item missing") { items, _ in items = Array(items.dropFirst()) },
        .items("the last item missing") { items, _ in items = Array(items.dropLast()) },
        lastAsFirst,
        .each("items marked as deleted") { item, _ in item["deleted"] = true },
        .items("the first item marked as deleted") { items, _ in
            if !items.isEmpty { items[0]["deleted"] = true }
        },
        .each("items that are NOT_FOUND") { item, _ in item.fail("NOT_FOUND") },
        .items("the first item NOT_FOUND") { items, _ in
            if !items.isEmpty { items[0].fail("NOT_FOUND") }
        },
        .items("one NOT_FOUND in place of all") { items, _ in
            guard var first = items.first else { return }
            first.fail("NOT_FOUND")
            items = [first]
        },
        .each("items that are ZONE_NOT_FOUND") { item, _ in item.fail("ZONE_NOT_FOUND") },
        .items("the first item ZONE_NOT_FOUND") { items, _ in
            if !items.isEmpty { items[0].fail("ZONE_NOT_FOUND") }
        },
        .each("items that are ACCESS_DENIED") { item, _ in item.fail("ACCESS_DENIED") },
        .each("items with an unknown code") { item, _ in item.fail("GONE_FOR_GOOD") },
    ]

    /// Lists whose items are not what was asked for.
    static let strangeItems: [Kind] = [
        .items("the first item twice") { items, _ in
            if let first = items.first { items.append(first) }
        },
        .items("one item more") { items, _ in
            guard var more = items.first else { return }
            more.rename { $0 + "-made-up" }
            items.append(more)
        },
        .each("items without a name") { item, _ in item.rename { _ in nil } },
        .each("items with an empty name") { item, _ in item.rename { _ in "" } },
        .each("items with other names") { item, _ in item.rename { "other-" + $0 } },
        .each("items with their name twice") { item, _ in
            guard let name = item.name else { return }
            var other = item
            other.rename { _ in "other-" + name }
            for key in ["recordName", "subscriptionID", "zoneID"] {
                if let value = other[key] { item.append(key, value) }
            }
        },
        .each("items with a name of 10,000 letters") { item, _ in
            item.rename { _ in String(repeating: "n", count: 10_000) }
        },
        .each("items of another zone") { item, _ in
            if item["recordName"] == nil {
                item.rename { _ in "Elsewhere" }
            } else {
                item["zoneID"] = ["zoneName": "Elsewhere"]
            }
        },
        .each("items of another owner") { item, exchange in
            var zone = item["zoneID"] ?? ["zoneName": "_defaultZone"]
            zone["ownerRecordName"] = exchange.otherPerson
            item["zoneID"] = zone
        },
        .items("the first item of another owner") { items, exchange in
            guard !items.isEmpty else { return }
            var zone = items[0]["zoneID"] ?? ["zoneName": "_defaultZone"]
            zone["ownerRecordName"] = exchange.otherPerson
            items[0]["zoneID"] = zone
        },
        .items("items that are null") { items, _ in items = items.map { _ in .null } },
        .items("items that are text") { items, _ in items = items.map { _ in "Album" } },
        .items("the first item an INTERNAL_ERROR") { items, _ in
            if !items.isEmpty { items[0].fail("INTERNAL_ERROR") }
        },
        .items("an unnamed error among the items") { items, _ in
            items.append(["serverErrorCode": "INTERNAL_ERROR", "reason": "made up"])
        },
        .items("an unnamed NOT_FOUND among the items") { items, _ in
            items.append(["serverErrorCode": "NOT_FOUND", "reason": "made up"])
        },
    ]

    /// The same for lists of records.
    static let strangeRecords: [Kind] = [
        .each("records that another person created") { record, exchange in
            record["created"] = [
                "timestamp": 1_700_000_000_000, "userRecordName": exchange.otherPerson,
                "deviceID": "x",
            ]
        },
        .each("records that nobody created") { record, _ in record["created"] = nil },
        .each("records of a type nobody knows") { record, _ in
            if record["recordType"] != nil { record["recordType"] = "Elsewhere" }
        },
        .each("records of another known type") { record, _ in
            switch record["recordType"]?.text {
            case nil: break
            case "Note"?: record["recordType"] = "Tag"
            default: record["recordType"] = "Note"
            }
        },
        .each("records with two types") { record, _ in
            if record["recordType"] != nil { record.prepend("recordType", "Elsewhere") }
        },
        .each("records said to be deleted and not to be") { record, _ in
            record.prepend("deleted", true)
        },
        .each("records without a type") { record, _ in record["recordType"] = nil },
    ]
}

extension Exchange {
    /// The name of the person whom the run is not about.
    var otherPerson: Value {
        .string(population.names[Population.other]?[request.container] ?? "_nobody")
    }
}

extension Value {
    /// Makes an item one that failed.
    mutating func fail(_ code: String) {
        var failed: Value = ["serverErrorCode": .string(code), "reason": "made up"]
        for name in ["recordName", "zoneID", "subscriptionID"] where self[name] != nil {
            failed[name] = self[name]
        }
        self = failed
    }

    /// What an item is called.
    var name: String? {
        for key in ["recordName", "subscriptionID", "userRecordName"] where self[key] != nil {
            return self[key]?.text
        }
        return self["zoneID"]?["zoneName"]?.text
    }

    /// Gives an item another name, or with nil none.
    mutating func setName(_ name: Value?) {
        for key in ["recordName", "subscriptionID", "userRecordName"] where self[key] != nil {
            self[key] = name
            return
        }
        guard var zone = self["zoneID"] else { return }
        zone["zoneName"] = name
        self["zoneID"] = zone
    }

    /// Makes another name of an item's own, or with nil none.
    mutating func rename(_ change: (String) -> String?) {
        guard let name else { return }
        setName(change(name).map(Value.string))
    }
}
