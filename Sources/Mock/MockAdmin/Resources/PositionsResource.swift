import CloudModel
import CloudWire
import HTTPServer
import JSON
import MockFaults
import MockService
import MockStore

/// Positions of devices in feeds, and change tokens.
struct PositionsResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "positions", query: ["user"], answers: ["positions"],
            "lists how far each device has read the feeds that it follows", list),
        AdminEndpoint(
            "GET", "position", query: [.required("token")],
            answers: [
                .choice("kind", ["zone", "database"]), "place", .integer("incarnation"),
                .count("epoch"), .count("epochNow"), .integer("scanStart"), .flag("newestFirst"),
                .flag("madeByFault"),
                .choice("standing", FeedStanding.names + ["unknown"]),
                Shape.Member("why", .choice(of: TokenExpiry.self)), .integer("end"),
                .integer("time"), "user", "container", "environment", "database", "zone", "owner",
            ], "decodes a change token, and shows what it would return", decode),
    ]

    /// Where each device stands in the feeds that it follows, those asked for last first.
    private func list() throws(MockError) -> RequestOutcome {
        let user = query["user"]
        let wanted = observers.positions.all.filter { (user ?? $0.key.user) == $0.key.user }
            .sorted { $0.value.number > $1.value.number }
        let standings = try storing { () throws(MockStoreError) in
            try store.standings(
                of: wanted.map { ($0.value.token, $0.key.database, $0.key.zoneID) })
        }
        return .object { writer in
            writer.objects("positions", zip(wanted, standings)) { writer, item in
                let ((key, position), standing) = item
                writer.member("device", key.device)
                writer.place(key.database, key.zoneID)
                writer.member("place", position.place)
                writer.standing(standing)
                writer.member("more", position.hasMore)
                writer.member("time", position.time.milliseconds)
            }
        }
    }

    /// What a change token says, which feed it is of, and what it would be answered.
    private func decode() throws(MockError) -> RequestOutcome {
        guard let text = query["token"], !text.isEmpty else {
            throw MockError("needs ?token=CHANGE TOKEN")
        }
        guard let own = PageDelivery.storeToken(text), !own.isEmpty else {
            throw MockError(
                "this token means the beginning of a feed, and does not name the feed")
        }
        let token = try Self.feedToken(own)
        let reading = TokenReading(token)
        return .job(reading) {
            HTTPResponse.object { writer in
                writer.member("kind", token.kind == .zone ? "zone" : "database")
                writer.member("place", token.isReverse ? 0 : token.sequence)
                if token.kind == .zone { writer.member("incarnation", token.incarnation) }
                writer.member("epoch", Int(token.epoch))
                writer.member("epochNow", Int(store.epoch))
                writer.member("scanStart", token.scanStart)
                writer.member("newestFirst", token.isReverse)
                writer.member("madeByFault", own != text)
                guard let feed = reading.feed else {
                    writer.member("standing", "unknown")
                    return
                }
                writer.place(feed.key, feed.zone)
                writer.standing(feed.standing)
                writer.member("time", feed.time?.milliseconds)
            }
        }
    }

    private static func feedToken(_ text: String) throws(MockError) -> FeedToken {
        for kind in [FeedToken.Kind.zone, .database] {
            do throws(CloudError) {
                return try FeedToken(text, kind: kind)
            } catch {
                // Tokens say themselves of which kind they are; one of the other kind is no error yet.
                if kind == .database || error.reason == "Invalid continuation format" {
                    throw MockError("this is not a change token of this server: \(error.reason)")
                }
            }
        }
        throw MockError("this is not a change token of this server")
    }
}

extension JSONWriter {
    /// The keys that say which database is meant, and which zone of it.
    mutating func place(_ key: DatabaseKey, _ zone: RecordZone.ID?) {
        member("user", key.user.isEmpty ? nil : key.user)
        member("container", key.address.container.rawValue)
        member("environment", key.address.environment.rawValue)
        member("database", key.address.scope.rawValue)
        member("zone", zone?.zoneName)
        member("owner", zone?.ownerRecordName)
    }

    fileprivate mutating func standing(_ standing: FeedStanding) {
        member("standing", standing.name)
        member("why", standing.expiry?.rawValue)
        member("end", standing.end)
    }
}
