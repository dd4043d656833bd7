import CloudModel
import Testing

struct ContainerTests {
    @Test(arguments: ["iCloud.com.example.app", "iCloud.a-b.C9", "com.apple.notes"])
    func `a well-formed identifier is taken`(text: String) {
        #expect(Container.ID(text)?.rawValue == text)
    }

    @Test(arguments: [
        "", "icloud.com.example", "iCloud.", "iCloud.com..example", "iCloud.com.exämple",
        "iCloud.com.example/", "iCloud." + String(repeating: "a", count: 250),
    ])
    func `a malformed identifier is refused with a reason`(text: String) {
        #expect(Container.ID(text) == nil)
        #expect(Container.ID.problem(in: text)?.isEmpty == false)
    }
}
