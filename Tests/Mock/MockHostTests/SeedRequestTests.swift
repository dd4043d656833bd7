import CloudModel
import MockAdmin
import MockSamples
import Testing

/// Fixtures and the generator, as requests load them.
struct SeedRequestTests {
    @Test func `a file needs a field that can have it`() throws {
        let bench = try Bench()
        let record =
            #"{"recordName":"a","recordType":"N!","fields":{"photo":{"value":{"base64":"SGk="}}}}"#
        let wrong =
            #"{"version":1,"shows":"x","users":["a"],"databases":[{"container":"iCloud.com.a","#
            + #""user":"a","zones":[{"name":"Z","records":[\#(record)]}]}]}"#
        let answer = try bench.admin("POST", "seed", wrong)
        #expect(answer.status == 422 && answer.text.contains("a record type is a letter"))
    }

    @Test(arguments: [SeedProfile.notes, .everything])
    func `a lived-in account has tombstones, shares and files, the same for the same seed`(
        profile: SeedProfile
    ) throws {
        let body = """
            {"profile":"\(profile.rawValue)","users":3,"zones":1,"records":100,"deleted":36,"shares":2,\
            "seed":7,"containers":["\(Samples.main)"]}
            """
        var archives: [String] = []
        for _ in 0..<2 {
            let bench = try Bench { $0.seed = 11 }
            try bench.admin("PUT", "clock", #"{"mode":"frozen","now":"2031-05-06T07:08:09Z"}"#)
            let answer = try bench.admin("POST", "seed", body)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.contains(#""deleted":108,"shares":6"#), "\(answer.text)")
            archives.append(try bench.admin("GET", "export").text)
            let query = "shares?container=\(Samples.main)&environment=development&user=ann"
            let shares = try bench.admin("GET", query + "&database=private")
            #expect(shares.json?["shares"]?.count == 2, "\(shares.text)")
            #expect(shares.text.contains("ACCEPTED") && shares.text.contains("INVITED"))
        }
        #expect(archives[0] == archives[1])
        let lines = archives[0].split(separator: "\n")
        // Three zones of a hundred records.
        let gone = lines.count { $0.hasPrefix(#"{"record""#) && $0.contains(#""type":null"#) }
        #expect(gone == 108)
        #expect(lines.contains { $0.hasPrefix(#"{"asset""#) } == (profile == .everything))
        if profile == .everything {
            for kind in FieldValue.Kind.allCases {
                #expect(archives[0].contains("\"\(kind.rawValue)\""), "\(kind)")
                #expect(archives[0].contains("\"\(kind.rawValue)_LIST\""), "\(kind)")
            }
        }
    }

    @Test func `shares need two users`() throws {
        let answer = try Bench().admin(
            "POST", "seed", #"{"profile":"notes","users":1,"shares":1}"#)
        #expect(answer.status == 400 && answer.text.contains("two users"))
    }
}
