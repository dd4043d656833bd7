import Basics
import CloudModel
import CommandLine
import Donations

/// Options that say which donations are meant: exactly one way at a time.
enum DonationSelectors {
    static let identifier = Option(
        "identifier", value: .text("ID"), repeats: true, "interactions with this identifier")
    static let group = Option(
        "group", value: .text("NAME"), "interactions of this group")
    static let allInteractions = Option(
        "all-interactions", "every interaction that the app donated")
    static let persistentIdentifier = Option(
        "persistent-identifier", value: .text("ID"), repeats: true,
        "activities with this persistent identifier")
    static let allActivities = Option("all-activities", "every activity")
    static let item = Option(
        "item", value: .text("ID"), repeats: true,
        "this searchable item, and the activities strongly related to it")
    static let domain = Option(
        "domain", value: .text("NAME"), repeats: true,
        "items of this domain and its subdomains, and everything related to them")
    static let allItems = Option(
        "all-items", "all items, related activities and, as on Apple's systems, EVERY INTERACTION")
    static let index = Option(
        "index", value: .text("NAME"), "only this index (with --item, --domain, --all-items)")
    static let appIntent = Option(
        "app-intent", value: .text("ID"), repeats: true, "App Intents records with this name")
    static let activityType = Option(
        "activity-type", value: .text("TYPE"),
        "activities of a type that the app no longer supports")
    static let intent = Option(
        "intent", value: .text("CLASS"), "donations of an intent that the app no longer supports")
    static let link = Option(
        "link", value: .text("CONTAINER[/SCOPE[/ZONE[/RECORD]]]"),
        "donations linked to this content")
    static let from = Option(
        "from", value: .text("DATE"), "done or donated at or after DATE")
    static let to = Option("to", value: .text("DATE"), "done or donated before DATE")
    static let withItems = Option("with-items", "items too (with --from, --to)")
    static let list = Option(
        "list", value: .init("KIND", .choice(DonationKind.lists.map { $0.rawValue })),
        "one of the plain lists: " + DonationKind.lists.map { $0.rawValue }.joined(separator: ", "))
    static let everything = Option(
        "everything", "everything except the user's own voice shortcuts")

    static let options = [
        identifier, group, allInteractions, persistentIdentifier, allActivities, item, domain,
        allItems, index, appIntent, activityType, intent, link, from, to, withItems, list,
        everything,
    ]
    /// Options that say more about another one.
    private static let modifiers = [index, withItems]

    /// What the options mean; nil when none is there.
    static func read(_ arguments: Arguments) throws(UsageError) -> DonationSelector? {
        var given = options.filter { option in
            arguments.has(option) && !modifiers.contains(option)
        }
        if given == [from, to] { given = [from] }
        guard given.count <= 1 else {
            throw UsageError(
                "--\(given[0].name) and --\(given[1].name) exclude each other: use one selector "
                    + "at a time")
        }
        try check(arguments, index, goesWith: [item, domain, allItems], given)
        try check(arguments, withItems, goesWith: [from, to], given)
        guard let option = given.first else { return nil }
        if option == from || option == to { return try span(arguments) }
        if option == link { return .linked(try content(arguments.text(link) ?? "")) }
        return plain(option, arguments)
    }

    /// Like ``read(_:)``; none is an error.
    static func required(_ arguments: Arguments) throws(UsageError) -> DonationSelector {
        guard let selector = try read(arguments) else {
            throw UsageError(
                "no donations are selected",
                remedy: "add a selector such as --group NAME or --everything")
        }
        return selector
    }

    private static func plain(_ option: Option, _ arguments: Arguments) -> DonationSelector {
        let texts = arguments.texts(option)
        let name = texts.first ?? ""
        let index = arguments.text(index)
        return switch option {
        case identifier: .interactions(identifiers: texts)
        case group: .interactionGroup(name)
        case allInteractions: .allInteractions
        case persistentIdentifier: .activities(persistentIdentifiers: texts)
        case allActivities: .allActivities
        case item: .searchableItems(identifiers: texts, indexName: index)
        case domain: .searchableDomains(texts, indexName: index)
        case allItems: .allSearchableItems(indexName: index)
        case appIntent: .appIntents(identifiers: texts)
        case activityType: .activityType(name)
        case intent: .intentClass(name)
        case list: .list(DonationKind(rawValue: name) ?? .setting, scope: nil)
        default: .everything
        }
    }

    private static func check(
        _ arguments: Arguments, _ option: Option, goesWith others: [Option], _ given: [Option]
    ) throws(UsageError) {
        guard arguments.has(option), !given.contains(where: { others.contains($0) }) else { return }
        let names = others.map { "--\($0.name)" }.joined(separator: ", ")
        throw UsageError("--\(option.name) is only valid with \(names)")
    }

    private static func span(_ arguments: Arguments) throws(UsageError) -> DonationSelector {
        let begin = try DonationOptions.date(arguments.text(from), from)
        let end = try DonationOptions.date(arguments.text(to), to)
        if let begin, let end, begin >= end { throw UsageError("--from is not before --to") }
        return .donated(
            fromMilliseconds: begin?.milliseconds ?? .min,
            untilMilliseconds: end?.milliseconds ?? .max,
            includingItems: arguments.has(withItems))
    }

    private static func content(_ text: String) throws(UsageError) -> ContentLink {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
            .map { String($0) }
        guard let container = Container.ID(parts[0]) else {
            throw UsageError("--link: the container \(Container.ID.problem(in: parts[0]) ?? "")")
        }
        let scopes = Database.Scope.allCases.map { $0.rawValue }
        if parts.count > 1, !scopes.contains(parts[1]) {
            throw UsageError(
                "--link: the scope must be one of \(scopes.joined(separator: ", "))"
                    + NearestName.hint(for: parts[1], among: scopes))
        }
        guard !parts.contains("") else { throw UsageError("--link has an empty part") }
        return ContentLink(
            container: container.rawValue, scope: parts.count > 1 ? parts[1] : nil,
            zone: parts.count > 2 ? parts[2] : nil, record: parts.count > 3 ? parts[3] : nil)
    }
}
