import Commands
import Configuration
import FileSystem
import Foundation
import RepositoryRoot
import Testing

struct DemoFixtureTests {
    @Test func `the demonstration's record types are those of the schemas`() throws {
        let files = Files(workingFolder: Repository.root.path)
        let list = try ContainerListReader.read("Containers/example.json", files: files)
        for (entry, container) in zip(list.containers, DemoScript.containers) {
            #expect(entry.id.rawValue == container.id)
            #expect(entry.recordTypes == container.types)
        }
    }
}
