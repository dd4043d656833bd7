import Basics
import CloudModel

/// Change feeds are read forwards, and to their end.
///
/// A token is given up once the client has used its successor: a client that sends it again has lost its state. The
/// service may return a token again, as when the client starts without one: then it is valid again.
struct FeedRule: ClientRule {
    private struct Token: Hashable {
        let place: ClientPlace
        let text: String
    }

    /// An empty page with more to come.
    private struct Stop {
        let number: Int
        let asked: String?
        let given: String
    }

    /// Tokens by their successors.
    private var former = RecentValues<Token, String>(512)
    /// Tokens that were given up, with the request that used the successor.
    private var givenUp = RecentValues<Token, Int>(512)
    private var stops = RecentValues<ClientPlace, Stop>(512)

    mutating func note(_ exchange: ClientExchange) -> [ClientBreach] {
        guard case .read(let request)? = exchange.command, let database = exchange.place(nil) else {
            return []
        }
        var breaches: [ClientBreach] = []
        switch request {
        case .databaseChanges(let token, _), .zoneListChanges(let token, _):
            breaches += use(token, of: database, exchange)
            guard case .zonePage(let page)? = exchange.reply, let given = page.token else { break }
            note(
                given, for: token, of: database, exchange,
                isStop: page.zones.isEmpty && page.moreComing)
        case .zoneChanges(let requests):
            for (index, request) in requests.enumerated() {
                guard let zone = exchange.place(request.zoneID) else { continue }
                breaches += use(request.token, of: zone, exchange)
                guard case .zoneChanges(let items)? = exchange.reply, index < items.count,
                    case .page(let page) = items[index]
                else { continue }
                note(
                    page.token, for: request.token, of: zone, exchange,
                    isStop: page.records.isEmpty && page.moreComing)
            }
        default: break
        }
        return breaches
    }

    func left(after last: Int) -> [ClientBreach] {
        stops.all.map { place, stop in
            breach(place, stop, last, "and requested nothing more of it")
        }
    }

    /// The client sends a token, so it has received all up to it.
    private mutating func use(
        _ asked: ChangeToken?, of place: ClientPlace, _ exchange: ClientExchange
    ) -> [ClientBreach] {
        var breaches: [ClientBreach] = []
        if let stop = stops[place] {
            stops[place] = nil
            // A repeated request may mean that the response was lost; one without a token starts again.
            if let asked, asked.rawValue != stop.given, asked.rawValue != stop.asked {
                breaches.append(
                    breach(place, stop, exchange.number, "and continued with another token"))
            }
        }
        guard let asked else { return breaches }
        let token = Token(place: place, text: asked.rawValue)
        if let number = givenUp[token] {
            breaches.append(
                ClientBreach(
                    .oldToken, in: place, requests: [number, exchange.number],
                    "Request \(number) had a newer token of \(place.words); request "
                        + "\(exchange.number) sent the older one."))
        }
        if let former = former[token] {
            givenUp[Token(place: place, text: former)] = exchange.number
        }
        return breaches
    }

    /// The client receives a token.
    private mutating func note(
        _ given: ChangeToken, for asked: ChangeToken?, of place: ClientPlace,
        _ exchange: ClientExchange, isStop: Bool
    ) {
        let token = Token(place: place, text: given.rawValue)
        if isStop {
            stops[place] = Stop(
                number: exchange.number, asked: asked?.rawValue, given: given.rawValue)
        }
        guard given != asked else { return }
        givenUp[token] = nil
        former[token] = asked?.rawValue
    }

    private func breach(
        _ place: ClientPlace, _ stop: Stop, _ number: Int, _ words: String
    ) -> ClientBreach {
        ClientBreach(
            .stoppedEarly, in: place,
            requests: number == stop.number ? [number] : [stop.number, number],
            "Request \(stop.number) got an empty page of \(place.words) with moreComing, \(words).")
    }
}

extension ClientPlace {
    /// Its feed, in words.
    var words: String {
        zoneName.map { "the zone \($0)" } ?? "the \(address.scope.rawValue) database"
    }
}
