import Foundation
import RepositoryRoot
import Testing

/// The form of the code, checked as its behaviour is.
struct TidyTests {
    @Test func `no file is longer than 500 lines`() throws {
        let long = try
            (Repository.swiftFiles(below: "Sources") + Repository.swiftFiles(below: "Tests"))
            .filter { $0.lines.count > 501 }.map { "\($0.path): \($0.lines.count)" }
        #expect(long == [], "split each file: is there a second thing in it?")
    }

    /// Pointers are touched by the wrappers, the sockets and two executors; nowhere else.
    static let unsafeModules: Set = [
        "SQLite", "PostgreSQL", "OpenSSL", "JSON", "Unistring", "FileSystem", "Host", "HTTPServer",
        "HTTPClient", "AsyncOperations",
    ]
    static let unsafeFiles: Set = [
        "Sources/Cloud/CloudClient/WebAuthTokenFile.swift",
        "Sources/Sweep/DataExport/Folder/ExportFolder.swift", "Sources/Sweep/Journal/LogSync.swift",
        "Sources/Sweep/Journal/SQLiteJournal.swift",
        "Sources/Mock/MockRecording/Record/Recorder.swift",
        "Sources/Apple/UserActivity/Handoff/HandoffServer.swift",
        "Sources/Apple/UserActivity/Handoff/SocketHandoff.swift",
        "Sources/Apple/UserActivity/Streams/SocketAddress.swift",
        "Sources/Apple/UserActivity/Streams/SocketInputStream.swift",
        "Sources/Apple/UserActivity/Streams/SocketOutputStream.swift",
        "Sources/Apple/UserActivity/Streams/StreamSocket.swift",
    ]

    @Test func `only the wrapper modules say unsafe`() throws {
        let word = try Regex(#"(^|[^A-Za-z0-9_"])unsafe[ (]"#)
        let offenders = try Repository.swiftFiles(below: "Sources").filter { file in
            !Self.unsafeModules.contains(file.module) && !Self.unsafeFiles.contains(file.path)
                && file.lines.contains { line in
                    !line.drop { $0 == " " }.hasPrefix("//") && line.contains(word)
                }
        }
        #expect(
            offenders.map(\.path) == [],
            "call a wrapper module (see unsafeModules) instead of using a pointer here")
    }

    @Test(arguments: [
        "TODO", "FIXME", "try!", "as!", "fatalError(", "@testable", "nonisolated(unsafe) var",
    ])
    func `nothing unfinished or forced is left`(words: String) throws {
        let found = try Repository.swiftFiles(below: "Sources").flatMap { file in
            file.lines.enumerated().filter { $0.element.contains(words) }
                .map { "\(file.path):\($0.offset + 1)" }
        }
        #expect(found == [], "finish it, or handle the error: \(words) stays in no source file")
    }

    /// Where a program begins, and where libraries that apps hand neither clock nor chance take the machine's.
    static let edgeFiles: Set = [
        "Sources/Apple/CloudKit/Connection/Edge.swift", "Sources/Apple/CloudKitMock/Edge.swift",
        "Sources/Apple/CoreLocation/Edge.swift",
        "Sources/System/CommandLine/Running/Program+Main.swift",
    ]

    /// Time, chance and identity are handed in; only the edges read the world's.
    @Test(arguments: [
        #"\bDate\(\)"#, #"\.random\("#, #"\bUUID\(\)"#, #"\bTask\.sleep"#, #"\bThread\.sleep"#,
        #"\busleep\("#,
    ])
    func `time and chance come in from outside`(pattern: String) throws {
        let words = try Regex(pattern)
        let found = try Repository.swiftFiles(below: "Sources")
            .filter { !Self.edgeFiles.contains($0.path) }
            .flatMap { file in
                file.lines.enumerated().filter { $0.element.contains(words) }
                    .map { "\(file.path):\($0.offset + 1)" }
            }
        #expect(
            found == [],
            "take the clock, the generator or the identifier as a parameter; the caller has one")
    }

    @Test func `no test sleeps`() throws {
        let found = try Repository.swiftFiles(below: "Tests").filter { file in
            // An app's own code waits as apps do.
            file.module != "TidyTests" && !file.path.hasPrefix("Tests/Examples/")
                && file.lines.contains {
                    $0.contains("Task.sleep") || $0.contains("Thread.sleep")
                        || $0.contains("usleep(")
                }
        }
        #expect(
            found.map(\.path) == [],
            "wait for the event itself: a stream, a continuation, or a ManualClock")
    }

    /// What apps import: the modules that have Apple's names, and what they act on.
    static let libraryModules: Set = [
        "CloudKit", "UserActivity", "ContinuationHost", "CoreSpotlight", "Intents", "DonationStore",
        "Donations", "CloudKitMock", "CoreLocation", "UniformTypeIdentifiers",
    ]

    /// Modules that say Foundation: their apps have it anyway.
    static let foundationModules: Set = [
        "CloudKit", "CloudKitMock", "UserActivity", "ContinuationHost", "CoreSpotlight", "Intents",
        "CoreLocation", "UniformTypeIdentifiers",
    ]

    /// One import of the large Foundation adds 33 MiB of tables to the command.
    @Test func `what the command is made of needs the small Foundation only`() throws {
        let word = try Regex(#"^\s*(\w+ )?import (\w+ )?Foundation(\.|$)"#)
        let found = try Repository.swiftFiles(below: "Sources").filter { file in
            !Self.foundationModules.contains(file.module)
                && file.lines.contains { $0.contains(word) }
        }
        #expect(
            found.map(\.path) == [],
            "import FoundationEssentials, or move what needs Foundation into an Apple module")
    }

    @Test func `nothing is public outside the library products`() throws {
        let word = try Regex(#"^\s*(public|open) [a-z@]"#)
        let found = try Repository.swiftFiles(below: "Sources").filter { file in
            !Self.libraryModules.contains(file.module)
                && file.lines.contains { $0.contains(word) }
        }
        #expect(
            found.map(\.path) == [],
            "say package: only the modules in libraryModules have an interface for others")
    }

    @Test func `each unchecked Sendable says beside it why it holds`() throws {
        let found = try Repository.swiftFiles(below: "Sources").flatMap { file in
            file.lines.indices.filter { index in
                file.lines[index].contains("@unchecked Sendable")
                    && !file.lines[max(0, index - 6)...index].contains { $0.contains("//") }
            }.map { "\(file.path):\($0 + 1)" }
        }
        #expect(found == [], "say in a comment above it why no two threads use it at once")
    }

    static let rooms = ["System", "Cloud", "Donations", "Mock", "Sweep", "Apple"]

    /// The modules of a room.
    private func modules(_ room: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Repository.url("Sources/\(room)").path)
            .filter { $0 != "README.md" }
    }

    @Test func `every module lies in a room`() throws {
        let found = try FileManager.default.contentsOfDirectory(
            atPath: Repository.url("Sources").path)
        #expect(
            found.sorted() == Self.rooms.sorted(),
            "move it into a room of Sources; Sources/Sweep/Commands/Commands.docc/Modules.md lists them"
        )
    }

    @Test(arguments: rooms) func `every module has an article`(room: String) throws {
        let bare = try modules(room).filter { module in
            // CSQLite and its like are module maps.
            !module.contains(/^C[A-Z]/)
        }.filter { module in
            let article = "Sources/\(room)/\(module)/\(module).docc/\(module).md"
            return !["cksweep", "cloudkit-mock"].contains(module)
                && !FileManager.default.fileExists(atPath: Repository.url(article).path)
        }
        #expect(
            bare.sorted() == [],
            "add Sources/ROOM/MODULE/MODULE.docc/MODULE.md: what it is, what it does not do")
    }

    @Test(arguments: rooms) func `the page of a room has each of its modules`(room: String) throws {
        let page = "Sources/\(room)/README.md"
        let names = try Repository.text(page).split(separator: "\n")
            .filter { $0.hasPrefix("|") }.compactMap { $0.split(separator: "|").first }
            .flatMap { $0.matches(of: #/`([A-Za-z0-9-]+)`/#).map { String($0.output.1) } }
        #expect(
            names.sorted() == (try modules(room)).sorted(),
            "add the module to the table in \(page), or remove its row")
    }

    /// I8: no way leads from the deletion of a donation to a deletion of content.
    @Test func `a sync is given content to read, and writes nothing but the donation zone`() throws
    {
        let database = try Regex(
            #"\bCloudDatabase\b|\.perform\(|database\.write\(|courier\.send\("#)
        let writing = try Regex(
            #"modifyZones|modifyRecords|RecordModifyRequest|modifySubscriptions"#)
        func lines(_ pattern: Regex<AnyRegexOutput>, _ isMeant: (Repository.File) -> Bool) throws
            -> [String]
        {
            try Repository.swiftFiles(below: "Sources").filter(isMeant).flatMap { file in
                file.lines.filter { line in
                    !line.drop { $0 == " " }.hasPrefix("//") && line.contains(pattern)
                }.map { "\(file.path): \($0.drop { $0 == " " })" }
            }
        }
        let isSync = { (file: Repository.File) in
            file.module == "DonationSync" || file.module == "SyncEngine"
        }
        // The one value that holds a writable database hands over nothing but exchange commands.
        #expect(
            try lines(database, isSync) == [
                "Sources/Sweep/SyncEngine/ExchangeWriter.swift: private let database: any CloudDatabase",
                "Sources/Sweep/SyncEngine/ExchangeWriter.swift: package init(_ database: any CloudDatabase)"
                    + " { self.database = database }",
                "Sources/Sweep/SyncEngine/ExchangeWriter.swift: try await courier.send(command.request, to: database)",
            ], "a sync reads content: give it a reader, and write through ExchangeWriter only")
        // And those name the donation zone alone.
        let makers = Set(try lines(writing, isSync).map { $0.prefix { $0 != ":" } })
        #expect(
            makers == ["Sources/Donations/DonationSync/ExchangeCommand.swift"],
            "make requests that write in ExchangeCommand, which names the donation zone alone")
        let imports = try lines(Regex("^(package )?import "), { $0.module == "DonationSync" })
            .map { $0.split(separator: " ").last.map(String.init) ?? "" }
        #expect(
            Set(imports).isSubset(of: ["Basics", "CloudModel", "Donations"]),
            "DonationSync decides in values: move what needs another module into SyncEngine")
    }
}
