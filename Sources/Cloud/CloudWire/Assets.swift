internal import CloudModel
internal import JSON

extension CommandDecoder {
    func assetUpload(_ root: JSONValue) throws(ShapeError) -> AssetUploadRequest {
        var request = AssetUploadRequest(
            [], zoneID: try root.optional("zoneID").map(RecordZone.ID.init(_:)) ?? .default)
        for item in try items("tokens", in: root, max: WireLimits.assetTokensMax) {
            let object = try item.object()
            request.tokens.append(
                AssetUploadRequest.Token(
                    recordType: try filled("recordType", in: object),
                    fieldName: try filled("fieldName", in: object),
                    recordName: try object.filledText("recordName")))
        }
        return request
    }

    func assetRereference(_ root: JSONValue) throws(ShapeError) -> AssetRereferenceRequest {
        var request = AssetRereferenceRequest(
            [], zoneID: try root.optional("zoneID").map(RecordZone.ID.init(_:)) ?? .default)
        for item in try items("assets", in: root) {
            let object = try item.object()
            request.fields.append(
                AssetField(
                    try filled("recordName", in: object), try filled("fieldName", in: object)))
        }
        return request
    }

    private func filled(_ key: String, in object: JSONValue) throws(ShapeError) -> String {
        guard let text = try object.filledText(key) else { throw .missing(key, in: object) }
        return text
    }
}

extension JSONWriter {
    mutating func assetUpload(_ request: AssetUploadRequest) {
        zoneID(request.zoneID)
        array("tokens", request.tokens) { json, token in
            json.object { json in
                json.member("recordType", token.recordType)
                json.member("fieldName", token.fieldName)
                json.member("recordName", token.recordName)
            }
        }
    }

    mutating func assetRereference(_ request: AssetRereferenceRequest) {
        zoneID(request.zoneID)
        array("assets", request.fields) { json, field in
            json.object { $0.assetField(field) }
        }
    }

    mutating func assetUploads(_ items: [AssetUploadRequest.Item], _ form: ReplyForm) {
        array("tokens", items) { json, item in
            json.object { json in
                json.assetField(item.field)
                switch item {
                case .address(_, let url): json.member("url", url)
                case .failure(_, let error): json.error(error, form)
                }
            }
        }
    }

    /// Under both names, as nobody knows which the service uses.
    mutating func assets(_ items: [AssetRereferenceRequest.Item], _ form: ReplyForm) {
        for key in ["assets", "tokens"] {
            array(key, items) { json, item in
                json.object { json in
                    json.assetField(item.field)
                    switch item {
                    case .asset(_, let asset): json.assetMembers(asset)
                    case .failure(_, let error): json.error(error, form)
                    }
                }
            }
        }
    }

    private mutating func assetField(_ field: AssetField) {
        member("recordName", field.recordName)
        member("fieldName", field.fieldName)
    }
}

extension AnswerReader {
    func assetUploads(_ request: AssetUploadRequest) throws(ShapeError) -> CloudReply? {
        let asked = request.tokens.map { token in
            token.recordName.map { Subject(name: $0, place: token.fieldName) }
        }
        guard let items = try items("tokens", for: asked, assetSubject) else { return nil }
        var read: [AssetUploadRequest.Item] = []
        for item in items {
            let field = try assetField(item)
            if let error = errors.error(in: item) {
                read.append(.failure(field, error))
            } else {
                read.append(.address(field, url: try item.required("url").text()))
            }
        }
        return .assetUploads(read)
    }

    func assetRereferences(_ request: AssetRereferenceRequest) throws(ShapeError) -> CloudReply? {
        let asked = request.fields.map { Subject(name: $0.recordName, place: $0.fieldName) }
        let key = root.optional("assets") == nil ? "tokens" : "assets"
        guard let items = try items(key, for: asked, assetSubject) else { return nil }
        var read: [AssetRereferenceRequest.Item] = []
        for item in items {
            let field = try assetField(item)
            if let error = errors.error(in: item) {
                read.append(.failure(field, error))
            } else {
                read.append(.asset(field, try fields.asset(item)))
            }
        }
        return .assets(read)
    }

    private func assetSubject(_ item: JSONValue) throws(ShapeError) -> Subject? {
        let field = try assetField(item)
        return Subject(name: field.recordName, place: field.fieldName)
    }

    private func assetField(_ item: JSONValue) throws(ShapeError) -> AssetField {
        AssetField(
            try item.text("recordName") ?? "", try item.required("fieldName").text())
    }
}
