import CommandLine
import CommandWorld
import Commands
import Foundation
import Testing
import ToolRunner

/// Two people sign a plan with keys that `openssl` made; without them nobody carries it out.
struct ApprovalVerbTests {
    /// A key of somebody's, made as the help of `plan sign` says.
    private static func makeKey(_ name: String, in folder: String) throws -> String {
        let made = try Tool.run(
            "/usr/bin/openssl", ["genpkey", "-algorithm", "ed25519", "-out", "\(name).pem"],
            folder: folder)
        let shown = try Tool.run(
            "/usr/bin/openssl", ["pkey", "-in", "\(name).pem", "-pubout"], folder: folder)
        #expect(made.status == 0 && shown.status == 0)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(name).pem")
        return try #require(shown.text.split(separator: "\n").dropFirst().first.map(String.init))
    }

    /// A verb that takes no state folder.
    private static func plain(
        _ scene: SweepScene, _ words: String...
    ) async -> (code: Int32, output: String, errors: String) {
        let (output, errors) = (MemorySink(), MemorySink())
        var environment = scene.world.environment(variables: scene.variables)
        environment.output = output
        environment.errors = errors
        let code = await Dispatcher.run(words, in: environment).code
        return (code, unmarked(output.text), errors.text)
    }

    @Test func `a plan is carried out once two of its approvers have signed it`() async throws {
        try await SweepScene.run { scene in
            let folder = scene.world.folder
            let keys = try ["ada", "bob", "cy", "eve"].map {
                ($0, try Self.makeKey($0, in: folder))
            }
            let approvers = keys.prefix(3).map { "{ \"name\": \"\($0.0)\", \"key\": \"\($0.1)\" }" }
            let list = try scene.world.text(at: "Containers/app.json").replacingOccurrences(
                of: "\"version\": 1,",
                with: "\"version\": 1, \"approvals\": 2, \"approvers\": "
                    + "[ \(approvers.joined(separator: ", ")) ],")
            try scene.world.put(list, at: "Containers/app.json")

            let sweep = try await scene.cksweep("sweep")
            #expect(sweep.code == 3 && sweep.errors.contains("2 approvals"), "\(sweep.errors)")
            let plan = try await scene.cksweep(
                "plan", "-o", "ann.plan", "--json-into", "plan.jsonl")
            #expect(plan.code == 0, "\(plan.output)\(plan.errors)")
            #expect(plan.errors.contains("2 approvers must sign it"), "\(plan.errors)")
            let digest = try scene.digest("plan.jsonl")
            let swept = try await scene.cksweep("sweep", "--approve", digest)
            #expect(swept.code == 3, "a digest is no signature")

            func apply() async throws -> (code: Int32, output: String, errors: String) {
                try await scene.cksweep(
                    "apply", "ann.plan", "--approve", digest, "--verify-pause", "1ms")
            }
            let unsigned = try await apply()
            #expect(unsigned.code == 3 && unsigned.output.contains("0 of the 2 approvals"))
            for name in ["ada", "eve"] {
                let signed = await Self.plain(
                    scene, "plan", "sign", "ann.plan", "--key", "\(name).pem")
                #expect(signed.code == 0, "\(signed.errors)")
            }
            let mode = try FileManager.default.attributesOfItem(
                atPath: "\(folder)/ann.plan.approvals")[.posixPermissions]
            #expect(mode as? Int == 0o600)
            let twice = await Self.plain(scene, "plan", "sign", "ann.plan", "--key", "ada.pem")
            #expect(twice.code == 3 && twice.errors.contains("signed the plan already"))
            let half = try await apply()
            #expect(
                half.code == 3 && half.output.contains("1 of the 2 approvals"), "\(half.output)")
            #expect(half.output.contains("bob, cy"))
            let open = await Self.plain(scene, "plan", "approvals", "ann.plan")
            #expect(open.code == 3 && open.output.contains("bob  has not signed"), "\(open.output)")
            #expect(open.output.contains("1 of 2 approvals; 1 signature not accepted"))

            #expect(
                await Self.plain(scene, "plan", "sign", "ann.plan", "--key", "cy.pem").code == 0)
            let enough = await Self.plain(scene, "plan", "approvals", "ann.plan", "--json")
            #expect(enough.code == 0, "\(enough.output)")
            #expect(enough.output.contains("\"name\":\"cy\""))
            let shown = await Self.plain(scene, "show", "ann.plan")
            #expect(shown.output.contains("3, not checked here"), "\(shown.output)")
            let noApproval = try await scene.cksweep("apply", "ann.plan")
            #expect(noApproval.code == 3, "the operator's own yes is asked for as well")
            let done = try await apply()
            #expect(done.code == 0, "\(done.output)\(done.errors)")
        }
    }

    @Test func `a key that others can read, no key and no plan sign nothing`() async throws {
        try await SweepScene.run { scene in
            _ = try Self.makeKey("ada", in: scene.world.folder)
            let plan = try await scene.cksweep("plan", "-o", "ann.plan")
            #expect(plan.code == 0)
            let path = "\(scene.world.folder)/ada.pem"
            let signed = { await Self.plain(scene, "plan", "sign", "ann.plan", "--key", $0) }
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            let open = await signed("ada.pem")
            #expect(open.code == 2 && open.errors.contains("only its owner"), "\(open.errors)")
            #expect(await signed("nobody.pem").code == 2)
            try scene.world.put("no key", at: "text.pem", mode: 0o600)
            #expect(await signed("text.pem").code == 2)
            #expect(await Self.plain(scene, "plan", "sign", "ann.plan").code == 2)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            let files = try FileManager.default.contentsOfDirectory(atPath: scene.world.folder)
            #expect(!files.contains("ann.plan.approvals"))
            try scene.world.put("garbage\n", at: "ann.plan.approvals")
            #expect(await signed("ada.pem").code == 3, "what is there is not written over")
            #expect(await Self.plain(scene, "plan", "approvals", "ann.plan").code == 3)
            let text = try scene.world.text(at: "ann.plan")
            try scene.world.put(
                text.replacingOccurrences(of: "Notes", with: "Nodes"), at: "ann.plan")
            let changed = await signed("ada.pem")
            #expect(changed.code == 3 && changed.errors.contains("changed"), "\(changed.errors)")
        }
    }

    @Test func `S5 an expired plan is not signed`() async throws {
        try await SweepScene.run { scene in
            _ = try Self.makeKey("ada", in: scene.world.folder)
            #expect(try await scene.cksweep("plan", "-o", "ann.plan").code == 0)
            let errors = MemorySink()
            var environment = scene.world.environment()
            environment.errors = errors
            environment.wallClock = .fixed(TestWorld.moment.advanced(by: .seconds(86_400)))
            let code = await Dispatcher.run(
                ["plan", "sign", "ann.plan", "--key", "ada.pem"], in: environment
            ).code
            #expect(code == 3 && errors.text.contains("expired"), "\(errors.text)")
        }
    }
}
