import CommandLine
import CommandWorld
import MockCommands
import Testing

struct VerbTableTests {
    static let checks = ProgramChecks(.cloudkitMock)

    @Test func `names and options are unique and documented`() {
        Self.checks.namesAndOptionsAreUniqueAndDocumented()
    }

    @Test func `the overview names every verb`() { Self.checks.overviewNamesEveryVerb() }

    @Test(arguments: Program.cloudkitMock.verbs.map(\.name))
    func `help is as it was`(name: String) throws { try Self.checks.helpIsAsItWas(name) }

    @Test func `the overview is as it was`() throws { try Self.checks.overviewIsAsItWas() }

    @Test(arguments: checks.examples)
    func `each example is a legal command line`(line: String) throws {
        try Self.checks.isLegal(line)
    }

    @Test func `the manual has every verb with its options`() throws {
        try Self.checks.manualHasEveryVerbAndOption()
    }

    @Test func `a shell is offered every verb and option`() { Self.checks.everythingIsOffered() }

    private func words(_ typed: [String]) -> [String]? {
        guard
            case .words(let offers) = Completions(verbs: Program.cloudkitMock.verbs).offers(
                for: typed)
        else { return nil }
        return offers.map(\.word)
    }

    @Test(arguments: [
        (["re"], ["record", "replay"]),
        (["serve", "--default-zone", "p"], ["purge"]),
        (["rules", "deleted-zone"], ["deleted-zone-in-feeds", "deleted-zone-in-errors"]),
        (["rules", "--status", "o"], ["observed", "ours"]),
        (["help", "re"], ["record", "replay"]),
    ])
    func `what fits is offered`(typed: [String], offered: [String]) {
        #expect(words(typed) == offered)
    }

    @Test(arguments: [
        (["exec", "--", "run"], Completions.Offers.files),
        (["exec", "--", "x", "--state=x"], .files),
        (["exec", "--as="], .names(.user)),
        (["serve", "--container", ""], .names(.container)),
        (["seed", ""], .names(.fixture)),
    ])
    func `paths are left to the shell, names to who knows them`(
        typed: [String], offers: Completions.Offers
    ) {
        #expect(Completions(verbs: Program.cloudkitMock.verbs).offers(for: typed) == offers)
    }

    @Test func `the hidden word answers through the command line`() async throws {
        let world = try TestWorld()
        #expect(await world.run("__complete", "exe") == 0)
        #expect(world.output.text == "exec\trun a program against a mock server of its own\n")
    }

    @Test func `an unknown verb is answered with the nearest`() async throws {
        let world = try TestWorld()
        #expect(await world.run("srve") == 2)
        #expect(
            world.errors.text.hasPrefix(
                "cloudkit-mock: unknown verb \"srve\"; did you mean \"serve\"?\n"))
    }

    @Test(arguments: [
        (["start", "--port", "8443"], "unknown verb \"start\": it is now \"serve\"\n"),
        (["journal"], "it is now \"log requests\""),
        (["help", "untrust"], "it is now \"trust --remove\""),
    ])
    func `a former verb is answered with the new one`(words: [String], answer: String) async throws
    {
        let world = try TestWorld()
        #expect(await world.run(words) == 2)
        #expect(world.errors.text.contains(answer), "\(world.errors.text)")
    }

    @Test func `every former verb names words that are a verb now`() throws {
        for (old, new) in Program.cloudkitMock.renamed {
            let words = new.split(separator: " ").map(String.init)
            #expect(throws: UsageError.self, "\(old)") { try Program.cloudkitMock.find([old]) }
            #expect(Program.cloudkitMock.verbs.contains { $0.words[0] == words[0] }, "\(new)")
        }
    }

    @Test func `the version is one line`() async throws {
        let world = try TestWorld()
        #expect(await world.run("--version") == 0)
        #expect(world.output.text == "cloudkit-mock \(Program.cloudkitMock.version)\n")
    }
}
