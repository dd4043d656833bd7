import CloudKit
import Testing

/// The other requests that an app has to answer: what do you keep, and leave it alone.
struct StewardTests {
    @Test(arguments: ["StewardSwift5", "StewardSwift6"])
    func `an app shows all it keeps, and can be kept from it`(app: String) throws {
        let ended = try Program.underMockServer(app, [])
        #expect(ended.status == 0, "\(ended.output)")
        let containers = ended.lines.filter { $0.hasPrefix("container: ") }
        #expect(
            containers == [
                "container: iCloud.com.example.myexampleapp",
                "container: iCloud.com.example.myexampleapp.documents",
                "container: iCloud.com.example.myexampleapp.settings",
            ])
        for name in [
            "Note note-ann-1", "Note note-ann-5", "Note idea-ann", "Folder folder-ann",
            "Profile profile-ann", "Bookmark bookmark-ann-2", "Document doc-ann",
            "Page page-ann-2", "Setting setting-ann-1", "Device device-ann",
        ] {
            #expect(ended.output.contains("record: \(name) "), "\(name)")
        }
        #expect(ended.output.contains("title=Packing list"))
        #expect(!ended.output.contains("-bob"))
        #expect(!ended.output.contains("failed"))
        let access = ended.lines.filter { $0.hasPrefix("access") || $0.contains("restrict") }
        #expect(
            access == [
                "restrict: 0", "access: 10", "access: granted", "unrestrict: 0", "access: granted",
            ])
    }
}
