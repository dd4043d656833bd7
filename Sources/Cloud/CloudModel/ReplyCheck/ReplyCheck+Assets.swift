extension ReplyCheck {
    /// The answer to `assets/upload`.
    func check(
        _ items: [AssetUploadRequest.Item], _ request: AssetUploadRequest
    ) throws(Mismatch) {
        try checkCount(items.count, request.tokens.count)
        for (item, token) in zip(items, request.tokens) {
            try checkField(item.field, is: AssetField(token.recordName ?? "", token.fieldName))
            guard case .address(let field, let url) = item else { continue }
            try checkName(field.recordName)
            guard !url.isEmpty else { throw .noAddress }
        }
    }

    /// The answer to `assets/rereference`.
    func check(
        _ items: [AssetRereferenceRequest.Item], _ request: AssetRereferenceRequest
    ) throws(Mismatch) {
        try checkCount(items.count, request.fields.count)
        for (item, asked) in zip(items, request.fields) {
            try checkField(item.field, is: asked)
            guard case .asset(_, let asset) = item else { continue }
            guard !asset.fileChecksum.isEmpty else { throw .noAddress }
        }
    }

    /// - Parameter asked: Without a record's name where the service chooses it.
    private func checkField(_ said: AssetField, is asked: AssetField) throws(Mismatch) {
        guard said.fieldName == asked.fieldName,
            asked.recordName.isEmpty || said.recordName == asked.recordName
        else { throw .notAsked }
    }
}
