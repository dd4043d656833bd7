internal import CloudModel
internal import JSON

extension CommandDecoder {
    func queryBatch(_ root: JSONValue) throws(ShapeError) -> [RecordQueryRequest] {
        var requests: [RecordQueryRequest] = []
        for item in try items("batch", in: root, max: WireLimits.batchQueriesMax) {
            requests.append(try recordQuery(try item.object()))
        }
        return requests
    }
}

extension AnswerReader {
    func queryBatch(_ requests: [RecordQueryRequest]) throws(ShapeError) -> CloudReply? {
        guard let found = try items("batch", max: requests.count) else { return nil }
        guard found.count == requests.count else {
            throw ShapeError(reason: "'batch' has \(found.count) items, not \(requests.count)")
        }
        var items: [RecordPage.Item] = []
        for (item, request) in zip(found, requests) {
            if let error = errors.error(in: item) {
                items.append(.failure(error))
                continue
            }
            let reader = AnswerReader(
                command: .read(.queryRecords(request)), root: item, succeeded: succeeded)
            guard case .recordPage(let page) = try reader.recordPage(request) else {
                throw .missing("records", in: item)
            }
            items.append(.page(page))
        }
        return .recordPages(items)
    }
}

extension JSONWriter {
    mutating func recordPages(_ items: [RecordPage.Item], _ form: ReplyForm) {
        // Tells the zone's token whether it was asked for or not.
        var form = form
        form.options.currentSyncTokenAsked = true
        array("batch", items) { json, item in
            json.object { json in
                switch item {
                case .page(let page): json.recordPage(page, form)
                case .failure(let error): json.error(error, form)
                }
            }
        }
    }
}
