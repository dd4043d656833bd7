package import CloudModel

extension CloudReply {
    /// How many items a request named, and which of them failed.
    package var outcome: (count: Int, failures: [(name: String, error: CloudError)]) {
        func list<Item>(
            _ items: [Item], _ failure: (Item) -> (String, CloudError)?
        ) -> (Int, [(name: String, error: CloudError)]) {
            (items.count, items.compactMap { failure($0).map { (name: $0.0, error: $0.1) } })
        }
        return switch self {
        case .zones(let items):
            list(items) {
                if case .failure(let id, let error) = $0 { (id.zoneName, error) } else { nil }
            }
        case .zoneChanges(let items):
            list(items) {
                if case .failure(let id, let error) = $0 { (id.zoneName, error) } else { nil }
            }
        case .records(let reply):
            list(reply.records) {
                if case .failure(let name, let error) = $0 { (name, error) } else { nil }
            }
        case .shares(let items):
            list(items) {
                if case .failure(let guid, let error) = $0 { (guid, error) } else { nil }
            }
        case .subscriptions(let items):
            list(items) {
                if case .failure(let name, let error) = $0 { (name, error) } else { nil }
            }
        case .recordPages(let items):
            list(items) { if case .failure(let error) = $0 { ("", error) } else { nil } }
        case .users(let items):
            list(items) {
                if case .failure(let info, let error) = $0 { ("\(info)", error) } else { nil }
            }
        case .assetUploads(let items):
            list(items) {
                if case .failure(let field, let error) = $0 {
                    (field.recordName, error)
                } else {
                    nil
                }
            }
        case .assets(let items):
            list(items) {
                if case .failure(let field, let error) = $0 {
                    (field.recordName, error)
                } else {
                    nil
                }
            }
        case .zonePage, .recordPage, .user, .pushToken, .done: (0, [])
        }
    }
}
