import CloudModel
import Commands
import FileSystem
import Foundation
import Testing

struct DemoFixtureTests {
    static let root: URL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `the demonstration's data is the fixture's`() throws {
        let file = Self.root.appendingPathComponent("Containers/fixtures/demo.json")
        let kept = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? NSDictionary
        let built =
            try JSONSerialization.jsonObject(with: Data(DemoFixture.bytes)) as? NSDictionary
        #expect(built != nil && built == kept)
    }

    @Test func `the demonstration's record types are those of the schemas`() throws {
        let files = Files(workingFolder: Self.root.path)
        let list = try ContainerListReader.read("Containers/example.json", files: files)
        for (entry, container) in zip(list.containers, DemoScript.containers) {
            #expect(entry.id.rawValue == container.id)
            #expect(entry.recordTypes == container.types)
        }
    }
}
