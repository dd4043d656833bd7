import Basics

/// Which recorded answer is next for a request: those to equal requests of one caller in their order,
/// whatever comes between them.
package struct ReplayBook: Sendable {
    /// What a request is answered with.
    package enum Outcome: Sendable {
        case exchange(RecordingFile.Entry)
        /// Nothing, for this reason.
        case miss(String)
    }

    /// Exchanges of one caller that answer to equal requests.
    private struct Queue: Sendable {
        let caller: String
        /// Places in the file's entries, in order.
        var places: [Int] = []
        /// How many of them were asked for.
        private var asked = 0

        init(caller: String) { self.caller = caller }

        /// The next one; nil when all were asked for.
        mutating func next(besides isAsked: [Bool]) -> Int? {
            while asked < places.count {
                let place = places[asked]
                asked += 1
                if !isAsked[place] { return place }
            }
            return nil
        }
    }

    private let file: RecordingFile
    /// One for each caller.
    private var queues: [RequestKey: [Queue]] = [:]
    private var isAsked: [Bool]
    /// Places of exchanges with texts that the program knew by itself, by method and path.
    private var loose: [String: [Int]] = [:]
    /// What the program says in place of such texts.
    private var ownTexts = Renaming()
    /// Who asks with a credential: what the recording tells, and what was found out since.
    private var callers: [String: String]
    /// Callers whom one credential, which the recording does not have, was taken for.
    private var boundCallers: Set<String> = []

    package init(_ file: RecordingFile) {
        self.file = file
        isAsked = Array(repeating: false, count: file.entries.count)
        callers = file.callers
        for (place, entry) in file.entries.enumerated() {
            var same = queues[entry.key] ?? []
            // Taken out, so that it is not copied.
            queues[entry.key] = nil
            let index = same.firstIndex { $0.caller == entry.caller } ?? same.endIndex
            if index == same.endIndex { same.append(Queue(caller: entry.caller)) }
            same[index].places.append(place)
            queues[entry.key] = same
            if entry.hasOwnTexts {
                loose[Self.route(entry.method, entry.path), default: []].append(place)
            }
        }
    }

    /// Exchanges that nobody has asked for.
    package var unasked: [RecordingFile.Entry] {
        zip(file.entries, isAsked).filter { !$0.1 }.map(\.0)
    }

    /// The answer to a request.
    ///
    /// - Parameters:
    ///   - request: Its caller is not looked at; the credentials of its query are.
    ///   - keyID: Of the server-to-server key that it is signed with.
    package mutating func next(
        for request: RecordedRequest, keyID: String?, hasCookies: Bool
    ) -> Outcome {
        var credentials = Credentials(query: request.query)
        credentials.keyID = keyID
        credentials.hasCookies = hasCookies
        let key = RequestKey(request)
        guard let recorded = queues[key]?.map(\.caller) else {
            return next(for: request, credentials)
        }
        let caller = caller(credentials, among: recorded)
        if let index = recorded.firstIndex(where: { $0 == caller }) {
            if let place = queues[key]?[index].next(besides: isAsked) { return exchange(place) }
            return .miss(askedAgain(queues[key]?[index].places ?? []))
        }
        if let other = queues[key]?.first?.places.first.map({ file.entries[$0] }) {
            return .miss(
                "exchange \(other.number) is this request, but by \(other.caller); it was sent "
                    + "by \(caller ?? "a user whose credentials are not in the recording")")
        }
        return .miss(nearest(to: request))
    }

    /// The answer to a request that says by another text what the program knew by itself.
    private mutating func next(
        for request: RecordedRequest, _ credentials: Credentials
    ) -> Outcome {
        let places = (loose[Self.route(request.method, request.path)] ?? [])
            .filter { !isAsked[$0] }.prefix(Self.candidatesMax)
        for place in places {
            let recorded: RecordedRequest
            do throws(RecordingError) {
                recorded = try file.request(of: file.entries[place])
            } catch {
                return .miss("\(error)")
            }
            guard let texts = RequestDifference.ownTexts(recorded, request, ownTexts),
                caller(credentials, among: [recorded.caller]) == recorded.caller
            else { continue }
            for (text, said) in texts { ownTexts.bind(text, said) }
            return exchange(place)
        }
        return .miss(nearest(to: request))
    }

    private mutating func exchange(_ place: Int) -> Outcome {
        isAsked[place] = true
        return .exchange(file.entries[place])
    }

    private static func route(_ method: String, _ path: String) -> String { "\(method) \(path)" }

    private func askedAgain(_ places: [Int]) -> String {
        "the recording has this request "
            + "\(places.count == 1 ? "once" : "\(places.count) times"), and it is sent once more "
            + "(exchange \(file.entries[places[0]].number))"
    }

    /// Who asks; nil where nobody knows.
    private mutating func caller(
        _ credentials: Credentials, among recorded: [String]
    ) -> String? {
        guard let credential = credentials.webToken ?? credentials.keyID else {
            return credentials.hasCookies ? CallerLabels.cookies : CallerLabels.nobody
        }
        if let known = callers[credential] { return known }
        // A program that has credentials of its own: they are taken for the only ones that can be meant.
        let prefix = credentials.webToken != nil ? CallerLabels.userPrefix : CallerLabels.keyPrefix
        let possible = recorded.filter { $0.hasPrefix(prefix) && !boundCallers.contains($0) }
        guard possible.count == 1, let caller = possible.first,
            callers.count < RecordingLimits.standInsMax
        else { return nil }
        callers[credential] = caller
        boundCallers.insert(caller)
        return caller
    }

    // MARK: Near misses

    /// Requests to one path that are looked at.
    private static let candidatesMax = 50
    private static let differencesMax = 3

    private func nearest(to request: RecordedRequest) -> String {
        let there = file.entries.indices.filter { file.entries[$0].path == request.path }
        let same = there.filter { file.entries[$0].method == request.method }
        // What nobody has asked for yet is rather meant.
        let candidates = same.filter { !isAsked[$0] } + same.filter { isAsked[$0] }
        if let found = nearest(to: request, among: candidates.prefix(Self.candidatesMax)) {
            return found
        }
        if let other = there.first.map({ file.entries[$0] }) {
            return "nearest is exchange \(other.number), which was sent with \(other.method)"
        }
        var seen: Set<String> = []
        let paths = file.entries.map(\.path).filter { seen.insert($0).inserted }
        guard let path = NearestName.closest(to: request.path, among: Array(paths.prefix(1000)))
        else { return "the recording is empty" }
        return "no request with this path was recorded; nearest is \(path)"
    }

    private func nearest(
        to request: RecordedRequest, among candidates: some Sequence<Int>
    ) -> String? {
        var best: (number: Int, differences: [String])?
        for place in candidates {
            let entry = file.entries[place]
            let differences: [String]
            do throws(RecordingError) {
                differences = RequestDifference.find(try file.request(of: entry), request)
            } catch {
                return "\(error)"
            }
            if differences.count < best?.differences.count ?? .max {
                best = (entry.number, differences)
            }
        }
        return best.map { best in
            let shown = best.differences.prefix(Self.differencesMax).joined(separator: "; ")
            let rest = best.differences.count - Self.differencesMax
            return "nearest is exchange \(best.number): \(shown)"
                + (rest > 0 ? ", and \(rest) more" : "")
        }
    }
}
