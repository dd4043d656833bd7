import AsyncOperations
import CommandLine
import CommandWorld
import Commands
import Dispatch
import FileSystem
import Foundation
import Glibc
import Testing

struct FilesTests {
    @Test func `a file is written whole, with its rights, and not over another`() throws {
        let world = try TestWorld()
        let files = world.environment().files
        try files.write([1, 2, 3], to: "a", mode: 0o600, replacing: false)
        #expect(try files.read("a") == [1, 2, 3])
        #expect(files.facts("a")?.mode == 0o600)
        #expect(throws: FileError("a", "exists already and is not overwritten")) {
            try files.write([4], to: "a", replacing: false)
        }
        #expect(try files.read("a") == [1, 2, 3])
        try files.write([4], to: "a", replacing: true)
        #expect(try files.read("a") == [4])
        #expect(try files.names(in: ".") == ["a"])
    }

    /// As when a signal ends a demonstration that is still making its folders.
    @Test func `a folder that is removed for good is not made again by whoever is at it`() throws {
        let world = try TestWorld()
        let files = world.environment().files
        try world.put("", at: "kept")
        let begun = DispatchSemaphore(value: 0)
        let makers = (0..<4).map { number in
            DedicatedThread(label: "maker") {
                for round in 0..<200 {
                    try? files.makeFolder("gone/\(number)/\(round)")
                    if round == 0 { begun.signal() }
                }
            }
        }
        for _ in makers { #expect(begun.wait(timeout: .now() + 60) == .success) }
        files.removeFolderForGood("gone")
        for maker in makers { maker.join() }
        #expect(try files.names(in: ".") == ["kept"])
        #expect(throws: FileError.self) { try files.makeFolder("gone/a") }
    }

    @Test func `what cannot be read says why`() throws {
        let world = try TestWorld()
        let files = world.environment().files
        try world.put("12345", at: "big")
        #expect(throws: FileError("big", "is larger than 4 bytes")) {
            try files.read("big", bytesMax: 4)
        }
        #expect(throws: FileError(".", "is a folder")) { try files.read(".") }
        let missing = #expect(throws: FileError.self) { try files.read("none") }
        #expect(missing?.description == "none cannot be read: No such file or directory")
    }

    /// Nobody waits for who might write into a pipe.
    @Test(arguments: ["pipe", "/dev/zero", "folder"])
    func `what is no file is refused at once, wherever a file is wanted`(path: String) async throws
    {
        let world = try TestWorld()
        #expect(mkfifo("\(world.folder)/pipe", 0o600) == 0)
        try world.environment().files.makeFolder("folder")
        #expect(throws: FileError.self) { try world.environment().files.read(path) }
        for words in [
            ["plan", "-c", path], ["show", path],
            ["donations", "donate", path, "--app", "com.example.app"],
        ] {
            let code = await Dispatcher.run(words, in: world.environment()).code
            #expect(code == 2, "\(words): \(world.errors.text)")
        }
        #expect(world.errors.text.contains("is not a file") || path == "folder")
    }

    @Test func `events that the disk does not take are no success`() async throws {
        let world = try TestWorld()
        try world.putApp("Containers")
        try world.put("", at: "ca.pem")
        let code = await world.run(
            "containers", "list", "--json-into", "/dev/full", variables: ["CKSWEEP_CA": "ca.pem"])
        #expect(code == 1)
        #expect(
            world.errors.text
                == "cksweep: /dev/full cannot be written: No space left on device\n")
        #expect(world.output.text.contains("iCloud.com.example.app"), "the result is as ever")
        let missing = await world.run("plan", "-c", "none", "--json-into", "/dev/full")
        #expect(missing == 2)
    }

    @Test func `new folders are ours alone, and go with all that is in them`() throws {
        let world = try TestWorld()
        let files = world.environment().files
        try files.makeFolder("x/y/z")
        #expect(files.facts("x/y")?.mode == 0o700)
        try world.put("1", at: "x/y/file")
        try FileManager.default.createSymbolicLink(
            atPath: "\(world.folder)/x/link", withDestinationPath: world.folder)
        #expect(files.isWritable("x/y") && !files.isWritable("x/none"))
        files.removeFolder("x")
        #expect(files.facts("x") == nil)
        #expect(files.facts(".") != nil)
    }

    @Test(
        arguments: [
            ([:], nil, "HOME/.local/state/cksweep"),
            (["XDG_STATE_HOME": "/s"], nil, "/s/cksweep"),
            (["XDG_STATE_HOME": "relative"], nil, "HOME/.local/state/cksweep"),
            (["XDG_STATE_HOME": "/s"], "here", "HOME/here"),
        ] as [([String: String], String?, String)])
    func `runs are kept where the user says`(
        variables: [String: String], given: String?, folder: String
    ) throws {
        let world = try TestWorld()
        let environment = world.environment(variables: variables)
        #expect(
            environment.stateFolder(given)
                == folder.replacingOccurrences(of: "HOME", with: world.folder))
    }
}
