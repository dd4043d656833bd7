internal import CloudModel
internal import JSON

extension ReplyWriter {
    mutating func zonePage(_ page: ZonePage, _ context: Context) {
        json.beginObject()
        zoneArray(page.zones, context)
        json.pair("moreComing", page.moreComing)
        let tokenKey = context.operation == .zoneListChanges ? "metaSyncToken" : "syncToken"
        json.pair(tokenKey, page.token?.rawValue)
        json.endObject()
    }

    mutating func zones(_ items: [RecordZone.Item], _ context: Context) {
        json.beginObject()
        zoneArray(items, context)
        json.endObject()
    }

    private mutating func zoneArray(_ items: [RecordZone.Item], _ context: Context) {
        json.key("zones")
        json.beginArray()
        for item in items {
            json.beginObject()
            switch item {
            case .zone(let zone):
                zoneID(zone.id, context)
                if let token = zone.syncToken {
                    json.piece(",\"syncToken\":")
                    json.string(token.rawValue)
                }
                json.piece(zone.isAtomic ? ",\"atomic\":true" : ",\"atomic\":false")
            case .deleted(let id, let reason):
                zoneID(id, context)
                json.piece(",\"deleted\":true")
                switch reason {
                case .deleted: break
                case .purged: json.piece(",\"deletionReason\":\"purged\"")
                case .encryptedDataReset:
                    json.piece(",\"deletionReason\":\"encryptedDataReset\"")
                }
            case .failure(let id, let error):
                json.key("zoneID")
                json.zoneID(id)
                describe(error)
            }
            json.endObject()
        }
        json.endArray()
    }

    /// The first member of an answer's item. Written in whole pieces: it is in most answers.
    private mutating func zoneID(_ id: RecordZone.ID, _ context: Context) {
        json.piece("\"zoneID\":{\"zoneName\":")
        json.string(id.zoneName)
        json.piece(",\"ownerRecordName\":")
        json.string(id.ownerRecordName ?? context.caller)
        json.piece(
            id.isDefault
                ? ",\"zoneType\":\"DEFAULT_ZONE\"}" : ",\"zoneType\":\"REGULAR_CUSTOM_ZONE\"}")
    }

    mutating func zoneChanges(_ items: [ZoneChangesItem], _ context: Context) {
        if context.operation == .recordChanges {
            // The older form: the one zone's page is the whole answer.
            for case .page(let page) in items.prefix(1) {
                json.beginObject()
                changes(page, context)
                json.endObject()
            }
            return
        }
        json.beginObject()
        json.key("zones")
        json.beginArray()
        for item in items {
            json.beginObject()
            json.key("zoneID")
            switch item {
            case .page(let page):
                json.zoneID(page.zoneID, caller: context.caller)
                changes(page, context)
            case .failure(let id, let error):
                json.zoneID(id)
                describe(error)
            }
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    private mutating func changes(_ page: ZoneChangesPage, _ context: Context) {
        json.key("records")
        json.beginArray()
        for item in page.records { recordItem(item, feedZone: page.zoneID, context) }
        json.endArray()
        json.pair("syncToken", page.token.rawValue)
        json.pair("moreComing", page.moreComing)
    }
}
