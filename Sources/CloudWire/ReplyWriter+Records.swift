internal import CloudModel
internal import JSON

extension ReplyWriter {
    mutating func recordPage(_ page: RecordPage, _ context: Context) {
        json.beginObject()
        recordArray(page.records, context)
        json.pair("continuationMarker", page.continuationMarker)
        if context.options.currentSyncTokenAsked {
            json.pair("syncToken", page.token?.rawValue)
        }
        json.endObject()
    }

    mutating func records(_ reply: RecordsReply, _ context: Context) {
        json.beginObject()
        if reply.failedAtomically {
            describe(CloudError(.atomicError, reason: "an operation of the batch failed"))
        }
        recordArray(reply.records, context)
        if context.operation == .modifyRecords || context.options.currentSyncTokenAsked {
            json.pair("syncToken", reply.token?.rawValue)
        }
        json.endObject()
    }

    private mutating func recordArray(_ items: [Record.Item], _ context: Context) {
        json.key("records")
        json.beginArray()
        for item in items { recordItem(item, feedZone: nil, context) }
        json.endArray()
    }

    /// One item of an answer about records.
    ///
    /// Error items and deletions carry no `recordType`: OpenCloudKit would take them for records.
    ///
    /// - Parameter feedZone: The zone whose changes these are; nil elsewhere.
    mutating func recordItem(
        _ item: Record.Item, feedZone: RecordZone.ID?, _ context: Context
    ) {
        json.beginObject()
        switch item {
        case .record(let record): recordKeys(record, context)
        case .deleted(let recordName, let tag):
            json.pair("recordName", recordName)
            json.pair("deleted", true)
            if let feedZone {
                json.pair("recordChangeTag", tag)
                json.key("zoneID")
                json.zoneID(feedZone, caller: context.caller)
            }
        case .failure(let recordName, let error):
            json.pair("recordName", recordName)
            describe(error)
        }
        json.endObject()
    }

    private mutating func recordKeys(_ record: Record, _ context: Context) {
        json.pair("recordName", record.id.recordName)
        json.pair("recordType", record.recordType)
        json.key("fields")
        json.beginObject()
        if record.fields.count < 2 {
            for (name, field) in record.fields { self.field(name, field, context) }
        } else {
            for (name, field) in record.fields.sorted(by: { $0.key < $1.key }) {
                self.field(name, field, context)
            }
        }
        json.endObject()
        json.key("pluginFields")
        json.beginObject()
        json.endObject()
        json.pair("recordChangeTag", record.recordChangeTag)
        stamp("created", record.created)
        stamp("modified", record.modified)
        json.pair("deleted", false)
        json.key("zoneID")
        json.zoneID(record.id.zoneID, caller: context.caller)
        if let parent = record.parent {
            json.key("parent")
            json.reference(parent, caller: context.caller)
        }
        if let share = record.share {
            json.key("share")
            json.reference(share, caller: context.caller)
        }
    }

    private mutating func field(_ name: String, _ field: Field, _ context: Context) {
        json.key(name)
        json.field(
            field.value, isTyped: true, isEncrypted: field.isEncrypted,
            numbersAsStrings: context.options.numbersAsStrings, caller: context.caller)
    }

    private mutating func stamp(_ name: String, _ stamp: Record.Stamp) {
        json.key(name)
        json.beginObject()
        json.key("timestamp")
        json.int64(stamp.timestamp.milliseconds)
        json.pair("userRecordName", stamp.userRecordName)
        json.pair("deviceID", stamp.deviceID)
        json.endObject()
    }
}
