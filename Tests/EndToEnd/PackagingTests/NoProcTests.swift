import Foundation
import Testing
import ToolRunner

/// Starts a program where `/proc` is empty.
private enum Bare {
    /// Whoever is not root makes a user namespace of its own around it.
    static let words: [String] = {
        let words = ["--mount", "/bin/sh", "-c", "mount -t tmpfs none /proc && exec \"$0\" \"$@\""]
        return runs(words) ? words : ["--user", "--map-root-user"] + words
    }()
    private static func runs(_ words: [String]) -> Bool {
        (try? Tool.run("/usr/bin/unshare", words + ["/bin/true"]))?.status == 0
    }
    static let isPossible = runs(words)
}

/// The program where `/proc` is not mounted, as in a bare chroot.
struct NoProcTests {
    @Test(.enabled(if: Bare.isPossible, "this user may not unshare namespaces here"))
    func `arguments that cannot be read are not taken for none`() throws {
        let ended = try Tool.run(
            "/usr/bin/unshare", Bare.words + [Tool.built("cksweep"), "--version"], errors: .kept)
        #expect(ended.status == 2)
        #expect(ended.text.isEmpty)
        #expect(ended.errors == "cksweep: cannot read arguments: is /proc mounted?\n")
    }
}
