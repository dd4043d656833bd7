import AsyncOperations
import CommandLine
import CommandWorld
import Foundation
import MockCommands
import Testing

/// The world in which Apple's names are the mock server's.
@Suite(.timeLimit(.minutes(30)))
struct ExecAppleTests {
    private static let words = [
        "exec", "--apple", "--any-container", "--host", "p1.example", "--user", "ann", "--",
    ]

    @Test func `the program sees Apple's names and a new authority, and its status is handed on`()
        async throws
    {
        let world = try TestWorld()
        let seen = Locked<([String], [String: String])>(([], [:]))
        let processes = PretendedProcesses { words, variables in
            seen.withLock { $0 = (words, variables) }
            return 42
        }
        let code = await Dispatcher.run(
            Self.words + ["node", "app.js"],
            in: world.environment(
                variables: ["KEPT": "yes", "HTTPS_PROXY": "http://proxy", "TMPDIR": world.folder],
                processes: processes)
        ).code
        #expect(code == 42)
        let (words, variables) = seen.withLock { $0 }
        #expect(words.starts(with: ["cloudkit-mock", "exec", "--state"]))
        #expect(words.contains("--any-container") && words.contains("--user=ann"))
        #expect(words.suffix(3) == ["--", "node", "app.js"])
        #expect(variables["KEPT"] == "yes" && variables["HTTPS_PROXY"] == nil)
        // The authority that the server in there has.
        #expect(variables["NODE_EXTRA_CA_CERTS"] == "\(words[3])/ca/ca.pem")
        #expect(variables["JDK_JAVA_OPTIONS"]?.contains("trustStoreType=JKS") == true)
        let hosts = processes.mounted.withLock { $0["/etc/hosts"] }
        for name in ["api.apple-cloudkit.com", "www.icloud.com", "p1.example"] {
            #expect(hosts?.contains("127.0.0.1 \(name)\n") == true)
            #expect(words.contains(name))
        }
        let bundle = variables["SSL_CERT_FILE"] ?? ""
        #expect(bundle.hasPrefix(world.folder))
        // Nothing of it is left.
        #expect(!FileManager.default.fileExists(atPath: bundle))
    }

    @Test func `the command that repeats a failure is the one that was typed`() async throws {
        let world = try TestWorld()
        let seen = Locked<[String: String]>([:])
        let apart = PretendedProcesses { _, variables in
            seen.withLock { $0 = variables }
            return 0
        }
        let outside = ["TMPDIR": world.folder]
        _ = await Dispatcher.run(
            Self.words + ["make"], in: world.environment(variables: outside, processes: apart))
        let within = PretendedProcesses { _, variables in
            seen.withLock { $0 = variables }
            return 3
        }
        // The server within has options that the user did not type; here another port, as 443 may be taken.
        let inner = [
            "exec", "--state", world.folder + "/inner", "--port", "0", "--name", "localhost",
            "--any-container", "--user=ann", "--", "make",
        ]
        let variables = seen.withLock { $0 }
        _ = await Dispatcher.run(
            inner, in: world.environment(variables: variables, processes: within))
        #expect(
            world.errors.text.contains(
                "  cloudkit-mock exec --apple --host p1.example --any-container --user ann "
                    + "--random-seed 0 -- make\n"), "\(world.errors.text)")
        #expect(seen.withLock { $0["CLOUDKIT_MOCK_APPLE_HOSTS"] } == nil)
    }

    @Test func `a kernel that forbids it is named, with what to do`() async throws {
        let world = try TestWorld()
        let environment = world.environment(
            variables: ["TMPDIR": world.folder], processes: PretendedProcesses())
        let code = await Dispatcher.run(Self.words + ["forbidden"], in: environment).code
        #expect(code == 3)
        let errors = world.errors.text
        #expect(errors.contains("no network and mounts of its own: Operation not"))
        #expect(errors.contains("ApplesNames"))
    }

    @Test(arguments: [
        ["exec", "--apple"], ["exec", "--apple", "--port", "1", "--", "x"],
        ["exec", "--apple", "--state", "s", "--", "x"],
        ["exec", "--apple", "--option", "nothing=1", "--", "x"],
        ["exec", "--apple", "--config", "missing.json", "--", "x"],
    ])
    func `what is wrong is said before anything is started`(words: [String]) async throws {
        let world = try TestWorld()
        let processes = PretendedProcesses { _, _ in 42 }
        let code = await Dispatcher.run(
            words, in: world.environment(variables: [:], processes: processes)
        ).code
        #expect(code == 2)
    }
}
