import CommandLine
import CommandWorld
import Commands
import Configuration
import Foundation
import RepositoryRoot
import Testing

struct ManualPageTests {
    private func page(_ page: String) async throws -> String {
        let world = try TestWorld()
        let code = await world.run(
            ["help", "--as", "mdoc", page],
            variables: ["SOURCE_DATE_EPOCH": "1700000000"])
        #expect(code == 0, "\(world.errors.text)")
        return world.output.text
    }

    @Test func `every verb has its part on one page, with all of its own options`() async throws {
        try ProgramChecks(.cksweep).manualHasEveryVerbAndOption()
        for page in Program.cksweep.pages { #expect(try await !self.page(page.name).isEmpty) }
    }

    @Test func `the table of keys in the folder's README is the one of the manual`() throws {
        let text = try Repository.text("Containers/README.md")
        let table = ContainerListKeys.rows.map(\.markdown).joined(separator: "\n")
        #expect(text.contains("| Key | Meaning |\n|---|---|\n\(table)\n\n"))
    }

    /// A key that the page names and the reader does not know would be complained of as unknown.
    @Test func `a list may have every key of the manual`() throws {
        let world = try TestWorld()
        let tops = ContainerListKeys.rows.flatMap { $0.plain.name.split(separator: ",") }
            .map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix(".") }
            .map { $0.prefix { $0 != "." && $0 != "[" } }
        #expect(Set(tops).count == 17)
        for key in Set(tops) {
            try world.put(#"{ "\#(key)": 0, "x": 1 }"#, at: "list.json")
            let error = #expect(throws: ConfigurationError.self) {
                try ContainerListReader.read(
                    "list.json", files: world.environment().files)
            }
            #expect(error?.description.contains("\"x\"") == true, "\(key): \(error as Any)")
        }
    }

    @Test func `the day is that of the source, else today`() async throws {
        #expect(try await page("cksweep").hasPrefix(".Dd November 14, 2023\n.Dt CKSWEEP 1\n"))
        #expect(try await page("cksweep-containers").contains(".Dt CKSWEEP-CONTAINERS 5\n"))
        let world = try TestWorld()
        #expect(await world.run("help", "--as", "mdoc") == 0)
        #expect(world.output.text.hasPrefix(".Dd November 18, 2026\n"))
    }

    @Test(arguments: ["", "-1", "soon", "99999999999999"])
    func `a day that is none is refused`(text: String) async throws {
        let world = try TestWorld()
        let code = await world.run(
            ["help", "--as", "mdoc"], variables: ["SOURCE_DATE_EPOCH": text])
        #expect(code == (text.isEmpty ? 0 : 2))
        #expect(world.errors.text.contains("SOURCE_DATE_EPOCH") == !text.isEmpty)
    }

    @Test func `a page that is not there is answered with the nearest`() async throws {
        let world = try TestWorld()
        #expect(await world.run("help", "--as", "mdoc", "cksweep-donation") == 2)
        #expect(world.errors.text.contains("did you mean \"cksweep-donations\"?"))
    }
}
