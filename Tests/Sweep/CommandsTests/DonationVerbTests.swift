import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing

/// The verbs of the local donation store.
@Suite(.timeLimit(.minutes(30)))
struct DonationVerbTests {
    static let app = ["--app", "com.example.soup"]
    static let soup = """
        [
          { "kind": "searchableItem", "identifier": "soup-1", "domain": "menu.soups",
            "title": "Tomato soup", "keywords": ["tomato", "warm"] },
          { "kind": "activity", "type": "com.example.soup.view", "title": "Tomato soup",
            "persistentIdentifier": "view-soup-1", "relatedIdentifier": "soup-1",
            "userInfo": { "soup": "tomato", "scroll": 12 }, "requiredKeys": ["soup"],
            "begin": "2026-11-17T11:58:00Z" },
          { "kind": "interaction", "type": "OrderSoupIntent", "identifier": "order-17",
            "group": "soup-1", "title": "Order a tomato soup", "action": "order-17",
            "parameters": { "soup": "tomato", "size": "large" },
            "combinations": [["soup"], ["soup", "size"]], "begin": "2026-11-17T12:01:00Z",
            "link": { "container": "iCloud.com.example.soup", "scope": "private",
                      "zone": "Orders", "record": "17" } },
          { "kind": "interaction", "type": "OrderSoupIntent", "identifier": "order-18",
            "group": "soup-1", "title": "Order a tomato soup", "action": "order-18",
            "parameters": { "soup": "tomato", "size": "large" },
            "combinations": [["soup"], ["soup", "size"]], "begin": "2026-11-18T12:03:00Z" }
        ]
        """

    let world: TestWorld

    init() throws {
        world = try TestWorld()
        try world.put(Self.soup, at: "soup.json")
    }

    /// A verb of the family in the test's world.
    private func donations(
        _ words: String..., typed: [String] = [], isTerminal: Bool = false
    ) async -> (code: Int32, output: String, errors: String) {
        let output = MemorySink()
        let errors = MemorySink()
        var environment = world.environment(typed: typed, isTerminal: isTerminal)
        environment.output = output
        environment.errors = errors
        let code = await Dispatcher.run(["donations"] + words + Self.app, in: environment).code
        return (code, output.text, errors.text)
    }

    private func left() async -> String {
        await donations("remaining").output
    }

    static let all = "LEFT: 2 interactions, 1 activity event, 1 saved activity, 1 searchable item\n"

    @Test func `what is donated is listed, suggested, found and exported`() async throws {
        let donated = await donations("donate", "soup.json")
        #expect(donated.code == 0 && donated.output == "4 stored\n")
        let list = await donations("list")
        #expect(list.code == 0 && list.errors.hasPrefix("5 shown, in "))
        try Snapshot.check(list.output, "donations-list.txt")
        let suggestions = await donations("suggestions", "--at", "2026-11-19T12:00:00Z")
        try Snapshot.check(suggestions.output, "donations-suggestions.txt")
        let found = await donations("search", "warm", "tom")
        #expect(found.output == "searchableItem  public.item  soup-1  Tomato soup\n")
        #expect(await donations("search", "cold").errors == "Nothing found.\n")
        let export = await donations("export")
        try Snapshot.check(export.output, "donations-export.json")
        #expect(await donations("donate", "soup.json").output == "1 stored, 3 replaced\n")
    }

    @Test func `F59 an export, once erased, is empty, and gives the same again`() async throws {
        _ = await donations("donate", "soup.json")
        let first = await donations("export")
        #expect(await donations("export", "-o", "soup.out").code == 0)
        #expect(await donations("export", "-o", "soup.out").code == 2)
        #expect(try world.text(at: "soup.out") == first.output)
        #expect(await donations("delete", "--everything", "--yes").code == 0)
        let empty = await donations("export").output
        #expect(empty.contains("\"donations\":[\n],") && empty.contains("\"lists\":[\n]"))
        let remaining = await donations("remaining")
        #expect(remaining.code == 0 && remaining.output == "NOTHING LEFT\n")
        #expect(await donations("donate", "soup.out").output == "4 stored\n")
        #expect(await left() == Self.all)
    }

    @Test func `the lists of an export are not taken, and that is said`() async throws {
        _ = await donations("donate", "soup.json")
        let export = await donations("export").output
        let entry = #"{"kind":"vocabulary","identifier":"Clam chowder"}"#
        let listed = export.replacing("\"lists\":[\n]", with: "\"lists\":[\n\(entry)\n]")
        #expect(listed != export)
        try world.put(listed, at: "listed.json")
        let taken = await donations("donate", "listed.json")
        #expect(taken.code == 0 && taken.errors.contains("1 entry of the export's plain lists"))
        #expect(!(await donations("donate", "soup.json").errors.contains("plain lists")))
    }

    @Test func `delete asks at a terminal, and the default is no`() async throws {
        _ = await donations("donate", "soup.json")
        let silent = await donations("delete", "--item", "soup-1")
        #expect(silent.code == 3 && silent.output.isEmpty)
        #expect(
            silent.errors.contains("There is no terminal to prompt at, and nothing was deleted."))
        for answer in [["no"], ["delete"], ["delete 4"], []] {
            let asked = await donations(
                "delete", "--item", "soup-1", typed: answer, isTerminal: true)
            #expect(asked.code == 3 && asked.errors.contains("\"delete 3\""))
        }
        #expect(await left() == Self.all)
        let done = await donations(
            "delete", "--item", "soup-1", typed: ["delete 3"], isTerminal: true)
        #expect(done.code == 0)
        try Snapshot.check(done.output, "donations-deleted.txt")
        #expect(await left() == "LEFT: 2 interactions\n")
    }

    @Test func `preview says what delete will remove, and removes nothing`() async throws {
        _ = await donations("donate", "soup.json")
        for selector in [["--item", "soup-1"], ["--group", "soup-1"], ["--all-items"]] {
            let before = await left()
            let preview = await Dispatcher.run(
                ["donations", "preview"] + selector + Self.app, in: world.environment())
            #expect(preview.code == 0)
            #expect(await left() == before)
        }
        let preview = await donations("preview", "--all-items", "--json")
        let deleted = await donations("delete", "--all-items", "--json", "--yes")
        func counts(_ text: String) -> Substring? {
            text.firstRange(of: "\"counts\":").map { start in
                text[
                    start
                        .lowerBound..<(text.firstRange(of: ",\"journal\"")?.lowerBound
                        ?? text.endIndex)]
            }
        }
        #expect(counts(preview.output) != nil)
        #expect(counts(preview.output) == counts(deleted.output))
    }

    /// A selector, and what is left of the soup.
    @Test(arguments: [
        (["--identifier", "order-17"], "LEFT: 1 interaction, 1 activity event"),
        (["--group", "soup-1"], "LEFT: 1 activity event, 1 saved activity, 1 searchable item"),
        (["--all-interactions"], "LEFT: 1 activity event, 1 saved activity, 1 searchable item"),
        (["--persistent-identifier", "view-soup-1"], "LEFT: 2 interactions, 1 searchable item"),
        (["--all-activities"], "LEFT: 2 interactions, 1 searchable item"),
        (["--item", "soup-1"], "LEFT: 2 interactions\n"),
        (["--domain", "menu"], "LEFT: 2 interactions\n"),
        (["--domain", "men"], "LEFT: 2 interactions, 1 activity event"),
        (["--domain", "menu", "--index", "other"], "LEFT: 2 interactions, 1 activity event"),
        (["--all-items"], "NOTHING LEFT"),
        (["--activity-type", "com.example.soup.view"], "LEFT: 2 interactions, 1 searchable item"),
        (["--intent", "OrderSoupIntent"], "LEFT: 1 activity event, 1 saved activity"),
        (["--link", "iCloud.com.example.soup"], "LEFT: 1 interaction, 1 activity event"),
        (["--link", "iCloud.com.example.soup/private/Orders/17"], "LEFT: 1 interaction,"),
        (["--link", "iCloud.com.example.soup/private/Orders/18"], "LEFT: 2 interactions,"),
        (["--from", "2026-11-18"], "LEFT: 1 searchable item\n"),
        (["--to", "2026-11-18T00:00:00Z"], "LEFT: 1 interaction, 1 searchable item"),
        (["--list", "vocabulary"], "LEFT: 2 interactions, 1 activity event"),
        (["--everything"], "NOTHING LEFT"),
    ])
    func `each selector reaches what it says`(selector: [String], rest: String) async throws {
        _ = await donations("donate", "soup.json")
        let words = ["donations", "delete", "--yes"] + selector + Self.app
        let code = await Dispatcher.run(words, in: world.environment()).code
        #expect(code == 0, "\(world.errors.text)")
        #expect(await left().hasPrefix(rest))
    }

    @Test(arguments: [
        ([], "no donations are selected"),
        (["--group", "a", "--everything"], "--group and --everything exclude each other"),
        (
            ["--group", "a", "--index", "b"],
            "--index is only valid with --item, --domain, --all-items"
        ),
        (["--everything", "--with-items"], "--with-items is only valid with --from, --to"),
        (["--from", "yesterday"], "--from is \"yesterday\"; expected a date such as 2026-01-15"),
        (["--from", "2026-02-02", "--to", "2026-02-01"], "--from is not before --to"),
        (["--link", "soup"], "--link: the container "),
        (["--link", "iCloud.a.b/privat"], "--link: the scope must be one of private, shared"),
        (["--link", "iCloud.a.b/private/"], "--link has an empty part"),
        (["--grup", "a"], "\"donations delete\" has no option --grup; did you mean --group?"),
    ])
    func `a selector that cannot be meant is a usage error`(
        words: [String], message: String
    ) async throws {
        let all = ["donations", "delete"] + words + Self.app
        #expect(await Dispatcher.run(all, in: world.environment()).code == 2)
        #expect(world.errors.text.contains(message), "\(world.errors.text)")
    }

    @Test func `the app must be named, and a store must be there`() async throws {
        #expect(await world.run("donations", "list") == 2)
        #expect(world.errors.text.contains("--app is required"))
        #expect(await world.run("donations", "list", "--app", "../soup") == 2)
        #expect(world.errors.text.contains("--app has "))
        let absent = await donations("list")
        #expect(absent.code == 2 && absent.errors.contains("there is no donation store in "))
        try world.put("no database", at: "foreign/donations.sqlite")
        _ = await donations("donate", "soup.json", "--store", "mine")
        let other = await world.run(
            "donations", "list", "--store", "mine", "--app", "com.example.tea")
        #expect(other == 2)
        #expect(world.errors.text.contains("belongs to another app"))
    }

    @Test func `receipts, refusals and errors name nothing of the user's`() async throws {
        _ = await donations("donate", "soup.json")
        let receipts = [
            await donations("preview", "--item", "soup-1", "--json"),
            await donations("delete", "--identifier", "soup-1", "order-99".dashed, "--yes"),
            await donations("delete", "--group", "soup-1", "--yes", "--json"),
            await donations("delete", "--identifier", "order-17", "--strict", "--yes"),
            await donations("audit", "--json"),
        ]
        #expect(receipts.map(\.code) == [0, 0, 0, 3, 0])
        for (_, output, errors) in receipts {
            for secret in ["soup-1", "order-17", "omato", "Orders"] {
                #expect(!(output + errors).contains(secret), "\(output)\(errors)")
            }
        }
    }

    @Test func `a restricted container's donations rest until it is lifted`() async throws {
        _ = await donations("donate", "soup.json")
        let before = await donations("suggestions", "--at", "2026-11-19T12:00:00Z").output
        let restricted = await donations("restrict", "iCloud.com.example.soup")
        #expect(restricted.output == "restricted: iCloud.com.example.soup\n")
        let during = await donations("suggestions", "--at", "2026-11-19T12:00:00Z").output
        #expect(during.contains("1x at this time") && !during.contains("2x"))
        let refused = await donations("donate", "soup.json")
        #expect(refused.code == 3)
        #expect(refused.output.contains("1 refused: the container is restricted"))
        #expect(await donations("restrict", "soup").code == 2)
        let lifted = await donations("unrestrict", "iCloud.com.example.soup")
        #expect(lifted.output == "no container is restricted\n")
        #expect(await donations("delete", "--all-activities", "--yes").code == 0)
        #expect(before.contains("2x at this time"))
        let after = await donations("suggestions", "--at", "2026-11-19T12:00:00Z").output
        #expect(after.contains("2x at this time"))
    }

    @Test func `a manifest says which activities are taken`() async throws {
        try world.put(
            #"{"NSUserActivityTypes": ["com.example.soup.cook", "cook"]}"#, at: "Info.json")
        let donated = await donations("donate", "soup.json", "--manifest", "Info.json")
        #expect(donated.code == 3)
        #expect(
            donated.output
                == "3 stored, 1 refused: the app does not declare the activity type\n")
        #expect(donated.errors.contains("warning: NSUserActivityTypes: \"cook\" is not a reverse"))
        try world.put("<plist>", at: "Info.json")
        #expect(await donations("donate", "soup.json", "--manifest", "Info.json").code == 2)
    }

    @Test func `what is past its time is hidden, and expire removes it`() async throws {
        // A moment before the test's own time.
        let soup = Self.soup.replacingOccurrences(
            of: "\"title\": \"Tomato soup\", \"keywords\"",
            with: "\"expires\": \"2026-11-18T00:00:00Z\", \"title\": \"Tomato\", \"keywords\"")
        try world.put(soup, at: "soup.json")
        #expect(await donations("donate", "soup.json").code == 0)
        #expect(await donations("search", "warm").errors == "Nothing found.\n")
        let expired = await donations("expire")
        #expect(
            expired.output
                == "EXPIRED: 1 activity event, 1 saved activity, 1 searchable item\n")
        #expect(await donations("expire").output == "EXPIRED: nothing\n")
    }

    @Test func `remaining finds who is still mentioned`() async throws {
        _ = await donations("donate", "soup.json")
        let tomato = await donations("remaining", "tomato")
        #expect(tomato.code == 6 && tomato.output.hasPrefix("LEFT: 2 interactions"))
        let nobody = await donations("remaining", "ann@example.com", "--json")
        #expect(nobody.code == 0 && nobody.output.contains("\"rows\":0"))
    }

    @Test func `the audit finds what is never deleted`() async throws {
        let many = (1...6).map { index in
            """
            {"kind":"interaction","type":"PlayIntent","parameters":{"show":"a"},"action":"x\(index % 5)"}
            """
        }
        try world.put(many.joined(separator: "\n"), at: "many.jsonl")
        #expect(await donations("donate", "many.jsonl").output == "6 stored\n")
        let audit = await donations("audit")
        #expect(audit.code == 0)
        try Snapshot.check(audit.output, "donations-audit.txt")
    }
}

extension String {
    /// An identifier as another option of the same kind.
    fileprivate var dashed: String { "--identifier=\(self)" }
}
