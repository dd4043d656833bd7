import CommandWorld
import Commands
import Testing

/// What "donations donate" refuses, and how it says so.
struct DonationReaderTests {
    static let interaction = #""kind": "interaction", "type": "X""#
    static let activity = #""kind": "activity", "type": "com.a.b""#

    @Test(arguments: [
        ("", "d.json:1:1: unexpected end of the text"),
        ("[{", "d.json:1:3: unexpected end of the text"),
        ("7", "d.json:1:1: a donation must be an object, not a number"),
        ("[\n {}]", "d.json:2:2: a donation needs the key \"kind\""),
        (
            #"[{"kind": "interacton"}]"#,
            "d.json:1:11: \"kind\" must be one of interaction, activity, savedActivity, "
                + "searchableItem, appIntent; did you mean \"interaction\"?"
        ),
        (
            #"[{"kind": "interaction"}]"#,
            "d.json:1:2: an interaction needs the key \"type\""
        ),
        (
            "[{\(interaction), \"grup\": 1}]",
            "d.json:1:39: unknown key \"grup\" in an interaction; did you mean \"group\"?"
        ),
        (
            "[{\(interaction), \"group\": 1}]",
            "d.json:1:48: \"group\" must be a string, not a number"
        ),
        (
            "[{\(interaction), \"title\": \"a\", \"title\": \"b\"}]",
            "d.json:1:53: the key \"title\" is repeated in an interaction"
        ),
        (
            "[{\(interaction), \"begin\": \"soon\"}]",
            "d.json:1:48: \"begin\" must be a date such as \"2026-01-15T08:30:00Z\""
        ),
        (
            "[{\(interaction), \"begin\": 2, \"end\": 1}]",
            "d.json:1:58: \"end\" is before \"begin\""
        ),
        (
            "[{\(interaction), \"link\": {\"container\": \"x\"}}]", "d.json:1:61: the container "
        ),
        (
            "[{\(interaction), \"parameters\": {\"a\": {\"$dates\": 1}}}]",
            "d.json:1:60: unknown kind of value; did you mean \"$date\"?"
        ),
        (
            "[{\(interaction), \"parameters\": {\"a\": {\"$uuid\": \"x\"}}}]",
            "d.json:1:69: \"$uuid\" must be a UUID"
        ),
        (
            "[{\(interaction), \"parameters\": {}, \"payload\": 1}]",
            "d.json:1:68: \"parameters\" and \"payload\" exclude each other"
        ),
        (
            "[{\(activity), \"eligible\": [\"serch\"]}]",
            "d.json:1:55: \"eligible\" must be \"handoff\" or \"search\" or \"publicIndexing\" or "
                + "\"prediction\", not \"serch\"; did you mean \"search\"?"
        ),
        (
            "[{\(activity), \"webpageURL\": \"ftp://a\"}]",
            "d.json:1:56: \"webpageURL\" must begin with http:// or https://"
        ),
        (
            "[{\(activity), \"requiredKeys\": []}]",
            "d.json:1:58: \"requiredKeys\" needs \"userInfo\""
        ),
        (
            "{\(activity)}\n\n{\(activity), \"titel\": 1}\n",
            "d.json:3:41: unknown key \"titel\" in an activity; did you mean \"title\"?"
        ),
        ("{\(activity)}\n{\(activity)\n", "d.json:2:"),
    ])
    func `a mistake is told with its place, and nothing is taken`(
        text: String, message: String
    ) async throws {
        let world = try TestWorld()
        try world.put(text, at: "d.json")
        #expect(await world.run("donations", "donate", "d.json", "--app", "com.a.b") == 2)
        #expect(world.errors.text.hasPrefix("cksweep: \(message)"), "\(world.errors.text)")
        #expect(await world.run("donations", "remaining", "--app", "com.a.b") == 2)
    }

    @Test func `every kind of value comes back as it went`() async throws {
        let world = try TestWorld()
        let values = """
            {"kind":"activity","type":"com.a.b","userInfo":{"n":null,"t":true,"i":-3,"d":2.5,\
            "s":"é","l":[1,[2]],"o":{"k":"v"},"data":{"$data":"AAEC"},"date":{"$date":1.5},\
            "url":{"$url":"https://a.example"},\
            "uuid":{"$uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"},"set":{"$set":[1,2]},\
            "inf":{"$double":"inf"},"pairs":{"$dictionary":[[1,"a"]]}}}
            """
        try world.put(values, at: "v.json")
        #expect(await world.run("donations", "donate", "v.json", "--app", "com.a.b") == 0)
        #expect(
            await world.run("donations", "export", "-o", "a.json", "--app", "com.a.b") == 0)
        let first = try world.text(at: "a.json")
        for part in [
            #""data":{"$data":"AAEC"}"#, #""date":{"$date":1.5}"#, #""inf":{"$double":"inf"}"#,
            #""uuid":{"$uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}"#,
            #""pairs":{"$dictionary":[[1,"a"]]}"#, #""i":-3"#, #""d":2.5"#, #""n":null"#,
        ] {
            #expect(first.contains(part), "\(part) in \(first)")
        }
        #expect(
            await world.run("donations", "delete", "--everything", "-y", "--app", "com.a.b") == 0)
        #expect(await world.run("donations", "donate", "a.json", "--app", "com.a.b") == 0)
        #expect(
            await world.run("donations", "export", "-o", "b.json", "--app", "com.a.b") == 0)
        #expect(try world.text(at: "b.json") == first)
    }
}
