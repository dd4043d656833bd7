package import CloudModel

/// Required fields of commands in process, which no decoder has checked; the errors are the decoder's.
package enum CommandShape {
    /// - Throws: The service's `BAD_REQUEST`, which names the first thing that is missing.
    package static func check(_ command: CloudCommand) throws(CloudError) {
        switch command {
        case .write(.modifyZones(let operations)): try check(operations)
        case .write(.modifyRecords(let request)): try check(request.operations)
        case .write(.modifySubscriptions(let operations)): try check(operations)
        default: break
        }
    }

    private static func check(_ operations: [RecordZone.Operation]) throws(CloudError) {
        for index in operations.indices where operations[index].id.zoneName.isEmpty {
            throw missing("operations[\(index)].zone.zoneID.zoneName")
        }
    }

    private static func check(_ operations: [RecordOperation]) throws(CloudError) {
        for (index, operation) in operations.enumerated() {
            if operation.kind != .create, operation.recordName?.isEmpty ?? true {
                throw missing("operations[\(index)].record.recordName")
            }
            switch operation.kind {
            case .create, .forceUpdate, .forceReplace:
                guard operation.recordType?.isEmpty ?? true else { continue }
                throw missing("operations[\(index)].record.recordType")
            case .update, .replace, .delete, .forceDelete: continue
            }
        }
    }

    private static func check(_ operations: [Subscription.Operation]) throws(CloudError) {
        var seen: Set<String> = []
        for (index, operation) in operations.enumerated() {
            let place = "operations[\(index)]"
            let id: String
            switch operation {
            case .create(let subscription), .update(let subscription):
                id = subscription.subscriptionID
                if subscription.kind == .query, subscription.query == nil {
                    throw missing(place + ".subscription.query")
                }
                if subscription.kind == .zone, subscription.zoneID == nil {
                    throw missing(place + ".subscription.zoneID")
                }
            case .delete(let subscriptionID):
                id = subscriptionID
            }
            if id.isEmpty {
                if case .create = operation { continue }
                throw missing(place + ".subscription.subscriptionID")
            }
            guard seen.insert(id).inserted else {
                throw CloudError(
                    .badRequest, reason: "'\(place)': a second operation on one subscription")
            }
        }
    }

    private static func missing(_ path: String) -> CloudError {
        CloudError(.badRequest, reason: "missing required field '\(path)'")
    }
}
