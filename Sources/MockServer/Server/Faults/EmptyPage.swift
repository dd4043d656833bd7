package import CloudModel

/// Pages without items that do not move: their token means the place the request came from.
///
/// The token is ours, base64 like the service's own, and turns back into the caller's before the
/// store sees the next request.
package enum EmptyPage {
    private static let mark = Array("empty-page:".utf8)

    /// A token that stands for `token`; nil stands for the beginning.
    package static func wrap(_ token: String?) -> String {
        Base64.encode(mark + [token == nil ? 0x30 : 0x31] + Array((token ?? "").utf8))
    }

    /// What a token of ours stands for; any other text is itself.
    package static func unwrap(_ text: String) -> String? {
        // "empty-page:" in base64, up to the last whole group.
        guard text.hasPrefix("ZW1wdHktcGFn"), let bytes = Base64.decode(text),
            bytes.starts(with: mark), bytes.count > mark.count
        else { return text }
        guard bytes[mark.count] == 0x31 else { return nil }
        return unwrap(String(decoding: bytes[(mark.count + 1)...], as: UTF8.self))
    }

    /// Turns every token of ours in a command back.
    package static func unwrap(_ command: inout CloudCommand) {
        func turn(_ token: ChangeToken?) -> ChangeToken? {
            token.flatMap { unwrap($0.rawValue) }.map { ChangeToken($0) }
        }
        switch command {
        case .read(.listZones(let token)): command = .read(.listZones(token: turn(token)))
        case .read(.zoneListChanges(let token, let limit)):
            command = .read(.zoneListChanges(token: turn(token), limit: limit))
        case .read(.databaseChanges(let token, let limit)):
            command = .read(.databaseChanges(token: turn(token), limit: limit))
        case .read(.zoneChanges(var requests)):
            for index in requests.indices { requests[index].token = turn(requests[index].token) }
            command = .read(.zoneChanges(requests))
        case .read(.queryRecords(var request)):
            request.continuationMarker = request.continuationMarker.flatMap { unwrap($0) }
            command = .read(.queryRecords(request))
        default: break
        }
    }

    /// An answer's pages with the token of the request, as if each were not the last; pages
    /// without items are left as they are.
    package static func repeated(_ reply: CloudReply, to command: CloudCommand) -> CloudReply {
        guard let start = Self.reply(to: command) else { return reply }
        switch (reply, start) {
        case (.zonePage(var page), .zonePage(let empty)) where !page.zones.isEmpty:
            (page.token, page.moreComing) = (empty.token, true)
            return .zonePage(page)
        case (.recordPage(var page), .recordPage(let empty)) where !page.records.isEmpty:
            page.continuationMarker = empty.continuationMarker
            return .recordPage(page)
        case (.zoneChanges(let items), .zoneChanges(let empties)):
            return .zoneChanges(
                zip(items, empties).map { item, empty in
                    guard case .page(var page) = item, case .page(let other) = empty,
                        !page.records.isEmpty
                    else { return item }
                    (page.token, page.moreComing) = (other.token, true)
                    return .page(page)
                })
        default: return reply
        }
    }

    /// The empty answer to a paged command; nil for one that has no pages.
    package static func reply(to command: CloudCommand) -> CloudReply? {
        switch command {
        case .read(.listZones(let token)), .read(.zoneListChanges(let token, _)),
            .read(.databaseChanges(let token, _)):
            .zonePage(
                ZonePage(
                    zones: [], token: ChangeToken(wrap(token?.rawValue)), moreComing: true))
        case .read(.zoneChanges(let requests)):
            .zoneChanges(
                requests.map {
                    .page(
                        ZoneChangesPage(
                            zoneID: $0.zoneID, records: [],
                            token: ChangeToken(wrap($0.token?.rawValue)), moreComing: true))
                })
        case .read(.queryRecords(let request)):
            .recordPage(
                RecordPage(records: [], continuationMarker: wrap(request.continuationMarker)))
        default: nil
        }
    }
}
