// swift-tools-version: 6.2
import PackageDescription

// The package by rooms, from the ground up. Each is a folder of Sources and one of Tests. A room imports itself
// and the rooms before it, never a later one; scripts/modules draws the picture and checks that.

// MARK: System: the machine, and what any program needs

let system = room(
    "System",
    sources: [
        c("CCurl", library: "libcurl", package: "libcurl4-openssl-dev"),
        c("CNghttp2", library: "libnghttp2", package: "libnghttp2-dev"),
        c("COpenSSL", library: "openssl", package: "libssl-dev"),
        c("CPostgreSQL", library: "libpq", package: "libpq-dev"),
        c("CSQLite", library: "sqlite3", package: "libsqlite3-dev"),
        c("CUnistring", library: nil, package: "libunistring-dev"),
        c("CSimdjson", links: ["simdjson", "stdc++", "m"]),
        c("CShims"),
        module("Basics"),
        module("AsyncOperations", uses: "CShims"),
        module("JSON", uses: "CSimdjson"),
        module("OpenSSL", uses: "COpenSSL"),
        module("SQLite", uses: "CSQLite"),
        module("Unistring", uses: "CUnistring"),
        module("FileSystem", uses: "AsyncOperations CShims"),
        module("Host", uses: "AsyncOperations CShims FileSystem"),
        module("HTTPClient", uses: "AsyncOperations CCurl OpenSSL"),
        module("HTTPServer", uses: "AsyncOperations Basics CNghttp2 CShims OpenSSL"),
        module("CommandLine", uses: "AsyncOperations Basics CShims FileSystem Host JSON"),
        module("PostgreSQL", uses: "AsyncOperations CPostgreSQL CShims"),
    ],
    tests: [
        tests("BasicsTests", of: "Basics"),
        tests("AsyncOperationsTests", of: "AsyncOperations Basics"),
        tests(
            "HTTPClientTests",
            of: "AsyncOperations HTTPClient HTTPServer OpenSSL",
            with: "CBrokenCurl CStuckResolver RandomSeeds RawHTTPServer"),
        tests(
            "HTTPServerTests",
            of: "AsyncOperations CShims HTTPServer OpenSSL",
            with: "ToolRunner"),
        tests("JSONTests", of: "Basics JSON"),
        tests("OpenSSLTests", of: "OpenSSL", with: "ToolRunner"),
        tests(
            "PostgreSQLTests",
            of: "AsyncOperations PostgreSQL",
            with: "PostgreSQLCluster"),
        tests("SQLiteTests", of: "SQLite"),
    ])

// MARK: Cloud: CloudKit's values, its wire format, and a client

let cloud = room(
    "Cloud",
    sources: [
        module("CloudModel", uses: "Basics"),
        module("CloudWire", uses: "Basics CloudModel JSON"),
        module("Configuration", uses: "Basics CloudModel FileSystem JSON"),
        module("CloudCourier", uses: "AsyncOperations Basics CloudModel OpenSSL"),
        module(
            "CloudClient",
            uses: "AsyncOperations Basics CloudModel CloudWire FileSystem HTTPClient OpenSSL"),
        module(
            "CloudCommandLine", uses: "CloudModel CommandLine Configuration FileSystem"),
    ],
    tests: [
        tests("CloudModelTests", of: "Basics CloudModel"),
        tests(
            "CloudWireTests",
            of: "Basics CloudModel CloudWire JSON",
            with: "AnswerMemory RandomSeeds RepositoryRoot ToolRunner"),
        tests(
            "ConfigurationTests",
            of: "CloudModel Configuration FileSystem",
            with: "RepositoryRoot",
            besides: ["App"]),
        tests(
            "CloudClientTests",
            of: "AsyncOperations Basics CloudClient CloudModel FileSystem HTTPClient OpenSSL",
            with: "RawHTTPServer"),
    ])

// MARK: Donations: what apps donated to Siri and Spotlight, on this device and on others

let donations = room(
    "Donations",
    sources: [
        module("Donations", uses: "Basics CloudModel Unistring"),
        module("DonationSync", uses: "Basics CloudModel Donations"),
        module(
            "DonationStore",
            uses: """
                AsyncOperations Basics CloudModel DonationSync Donations FileSystem OpenSSL SQLite
                """),
        module("DonationFiles", uses: "Basics CloudModel Configuration Donations JSON"),
    ],
    tests: [
        tests("DonationsTests", of: "Basics Donations", with: "RandomSeeds"),
        tests(
            "DonationStoreTests",
            of: "AsyncOperations Basics CloudModel DonationStore DonationSync Donations SQLite",
            with: """
                DonationChild DonationScript RandomSeeds RepositoryRoot SyncStorageContract
                ToolRunner
                """),
        tests(
            "DonationSyncTests",
            of: """
                AsyncOperations Basics CloudModel CoreSpotlight DonationStore DonationSync Donations
                Intents MockStore UserActivity
                """,
            with: "InProcessMock RandomSeeds RepositoryRoot SyncStorageContract"),
    ])

// MARK: Mock: the mock server

let mock = room(
    "Mock",
    sources: [
        module(
            "MockStore",
            uses: "AsyncOperations Basics CloudModel CloudWire FileSystem JSON OpenSSL SQLite"),
        module("MockFaults", uses: "Basics CloudModel CloudWire MockStore"),
        module("ClientLinter", uses: "Basics CloudModel CloudWire JSON"),
        module("MockRules", embeds: ["rules.txt", "sources.txt"]),
        module(
            "MockService",
            uses: """
                AsyncOperations Basics ClientLinter CloudModel CloudWire FileSystem HTTPServer JSON
                MockFaults MockStore OpenSSL
                """),
        module(
            "MockAdmin",
            uses: """
                Basics ClientLinter CloudModel CloudWire FileSystem HTTPServer JSON MockFaults
                MockRules MockService MockStore OpenSSL
                """,
            embeds: ["Console/Page"]),
        module(
            "MockHost",
            uses: """
                AsyncOperations Basics CloudModel CloudWire FileSystem HTTPServer JSON MockAdmin
                MockFaults MockService MockStore OpenSSL
                """),
        module(
            "MockRecording",
            uses: """
                AsyncOperations Basics CloudModel CloudWire FileSystem HTTPClient HTTPServer JSON
                MockHost MockRules OpenSSL
                """),
        module(
            "MockCommands",
            uses: """
                AsyncOperations Basics ClientLinter CloudCommandLine CloudModel CommandLine
                Configuration FileSystem HTTPClient Host JSON MockAdmin MockFaults MockHost
                MockRecording MockRules MockService MockStore
                """),
        program("cloudkit-mock", uses: "CommandLine MockCommands"),
    ],
    tests: [
        tests("MockFaultsTests", of: "Basics CloudModel MockFaults", with: "MockSamples"),
        tests("ClientLinterTests", of: "Basics ClientLinter CloudModel"),
        tests("MockRulesTests", of: "MockRules"),
        tests(
            "MockServiceTests",
            of: """
                AsyncOperations Basics ClientLinter CloudModel CloudWire HTTPServer JSON MockFaults
                MockService MockStore
                """,
            with: "MockSamples"),
        tests(
            "MockAdminTests",
            of: """
                Basics CloudModel HTTPServer JSON MockAdmin MockFaults MockService MockStore
                """,
            with: "MockSamples RepositoryRoot"),
        tests(
            "MockHostTests",
            of: """
                AsyncOperations Basics ClientLinter CloudModel CloudWire HTTPServer JSON MockAdmin
                MockFaults MockHost MockRules MockService MockStore OpenSSL
                """,
            with: "InProcessMock MockSamples RepositoryRoot ToolRunner"),
        tests(
            "MockStoreTests",
            of: "AsyncOperations Basics CloudModel CloudWire FileSystem MockStore SQLite",
            with: "InProcessMock RandomSeeds"),
        tests(
            "MockRecordingTests",
            of: """
                Basics CloudModel CloudWire FileSystem HTTPClient JSON MockHost MockRecording
                MockRules OpenSSL
                """,
            with: "RandomSeeds ToolRunner"),
        tests(
            "ContractTests",
            of: """
                AsyncOperations Basics CloudClient CloudModel CloudWire HTTPClient JSON MockHost
                MockStore OpenSSL
                """,
            with: "InProcessMock"),
        tests(
            "MockCommandsTests",
            of: "AsyncOperations CommandLine HTTPClient Host JSON MockCommands MockRules",
            with: "CommandWorld RawHTTPServer",
            besides: ["Snapshots"]),
    ])

// MARK: Sweep: the deletion tool

let sweep = room(
    "Sweep",
    sources: [
        module("DeletionPlanning", uses: "Basics CloudModel Configuration"),
        module("Journal", uses: "AsyncOperations Basics CloudModel FileSystem OpenSSL SQLite"),
        module("Evidence", uses: "Basics CloudModel FileSystem OpenSSL"),
        module(
            "DataExport",
            uses: "AsyncOperations Basics CloudModel CloudWire FileSystem JSON OpenSSL SQLite"),
        module(
            "SyncEngine",
            uses: """
                AsyncOperations Basics CloudCourier CloudModel DonationStore DonationSync Journal
                OpenSSL
                """),
        module(
            "SweepEngine",
            uses: """
                AsyncOperations Basics CloudCourier CloudModel Configuration DataExport
                DeletionPlanning DonationStore DonationSync Donations Evidence FileSystem JSON
                Journal OpenSSL
                """),
        module("ErasureQueue", uses: "AsyncOperations OpenSSL PostgreSQL"),
        module(
            "Commands",
            uses: """
                AsyncOperations Basics CloudClient CloudCommandLine CloudCourier CloudModel
                CloudWire CommandLine Configuration DataExport DeletionPlanning DonationFiles
                DonationStore DonationSync Donations Evidence FileSystem HTTPClient HTTPServer Host
                JSON Journal OpenSSL SweepEngine SyncEngine
                """,
            // A link to Containers/fixtures/demo.json: the program carries the fixture.
            embeds: ["Demo/demo.json"]),
        program("cksweep", uses: "CommandLine Commands"),
    ],
    tests: [
        tests("DeletionPlanningTests", of: "Basics CloudModel Configuration DeletionPlanning"),
        tests(
            "JournalTests",
            of: "AsyncOperations Basics CloudModel FileSystem Journal OpenSSL SQLite",
            with: "CSyncCounter JournalChild RandomSeeds ToolRunner"),
        tests(
            "EvidenceTests",
            of: "Basics CloudModel Evidence FileSystem OpenSSL",
            with: "RepositoryRoot TimeStampAuthority ToolRunner"),
        tests("DataExportTests", of: "Basics CloudModel DataExport FileSystem OpenSSL"),
        tests(
            "SweepEngineTests",
            of: """
                AsyncOperations Basics CloudCourier CloudModel Configuration DeletionPlanning
                DonationStore DonationSync Donations Evidence Journal MockStore OpenSSL SQLite
                SweepEngine SyncEngine
                """,
            with: "CSyncCounter InProcessMock LeakSearch RepositoryRoot"),
        tests(
            "SweepFaultTests",
            of: """
                AsyncOperations Basics CloudCourier CloudModel CloudWire Configuration
                DeletionPlanning HTTPServer JSON MockHost MockService MockStore SweepEngine
                """,
            with: "InProcessMock RandomSeeds"),
        tests(
            "ErasureQueueTests",
            of: "AsyncOperations ErasureQueue PostgreSQL",
            with: "PostgreSQLCluster RandomSeeds"),
        tests(
            "CommandsTests",
            of: """
                AsyncOperations Basics CloudClient CloudModel CommandLine Commands Configuration
                DataExport DeletionPlanning DonationStore DonationSync Donations Evidence FileSystem
                HTTPClient HTTPServer Host JSON MockCommands OpenSSL SweepEngine SyncEngine
                """,
            with: """
                CommandWorld LeakSearch RawHTTPServer RepositoryRoot TimeStampAuthority ToolRunner
                cksweep cloudkit-mock
                """,
            besides: ["Snapshots"]),
    ])

// MARK: Apple: Apple's names on Linux (elsewhere the real frameworks are used), and a mock cloud for tests

let apple = room(
    "Apple",
    sources: [
        module("CoreLocation"),
        module("UniformTypeIdentifiers"),
        module("RecordSync", uses: "Basics CloudModel"),
        module(
            "CloudKit",
            uses: """
                AsyncOperations Basics CloudClient CloudModel CloudWire Configuration CoreLocation
                FileSystem HTTPClient OpenSSL RecordSync
                """),
        module(
            "UserActivity",
            uses: """
                AsyncOperations Basics CloudModel CoreLocation DonationStore Donations
                UniformTypeIdentifiers
                """),
        module("ContinuationHost", uses: "UserActivity"),
        module(
            "CoreSpotlight",
            uses: """
                AsyncOperations Basics CloudModel CoreLocation DonationStore Donations
                UniformTypeIdentifiers UserActivity
                """),
        program("IntentTables", in: "IntentTables/Tool"),
        generator("GenerateIntents", in: "IntentTables/Plugin", runs: "IntentTables"),
        module(
            "Intents",
            uses: """
                AsyncOperations Basics CloudModel ContinuationHost CoreLocation DonationStore
                Donations UserActivity
                """,
            plugins: ["GenerateIntents"]),
        module(
            "CloudKitMock",
            uses: """
                AsyncOperations Basics CloudClient CloudKit CloudModel CloudWire HTTPClient
                HTTPServer JSON MockHost MockService MockStore
                """),
    ],
    tests: [
        tests("RecordSyncTests", of: "Basics CloudModel RecordSync", with: "RandomSeeds"),
        tests(
            "CloudKitTests",
            of: """
                AsyncOperations Basics CloudKit CloudKitMock CloudModel FileSystem MockStore OpenSSL
                """,
            with: """
                BackendSwift6 EraserSwift5 EraserSwift6 InProcessMock ListenerSwift5 ListenerSwift6
                RepositoryRoot SharerSwift5 SharerSwift6 StewardSwift5 StewardSwift6 ToolRunner
                cksweep cloudkit-mock
                """,
            besides: ["api.txt"]),
        app("BackendSwift6", .v6), app("EraserSwift5", .v5), app("EraserSwift6", .v6),
        app("ListenerSwift5", .v5), app("ListenerSwift6", .v6), app("NotesSwift5", .v5),
        app("NotesSwift6", .v6), app("SharerSwift5", .v5), app("SharerSwift6", .v6),
        app("StewardSwift5", .v5), app("StewardSwift6", .v6),
        tests("CloudKitMockTests", of: "CloudKit CloudKitMock", with: "ToolRunner"),
        tests(
            "UserActivityTests",
            of: "AsyncOperations Basics ContinuationHost DonationStore Donations UserActivity",
            with: "RandomSeeds SwiftFiveApp"),
        swift5Module("SwiftFiveApp", uses: "ContinuationHost UserActivity"),
        tests(
            "CoreSpotlightTests",
            of: "AsyncOperations Basics CoreSpotlight DonationStore DonationSync Donations",
            with: "RandomSeeds SpotlightAppSwift5"),
        swift5Module("SpotlightAppSwift5", uses: "CoreSpotlight"),
        tests(
            "IntentsTests",
            of: """
                AsyncOperations Basics CloudModel CoreSpotlight DonationStore Donations Intents
                MockStore SyncEngine UserActivity
                """,
            with: """
                InProcessMock Messenger MessengerSwift5 RandomSeeds SoupChef SoupChefSwift5
                ToolRunner
                """),
        donatingApp("Messenger", .v6), donatingApp("MessengerSwift5", .v5),
        donatingApp("SoupChef", .v6), donatingApp("SoupChefSwift5", .v5),
        tests(
            "LibraryTests",
            of: """
                CloudKit CloudKitMock ContinuationHost CoreLocation CoreSpotlight DonationStore
                IntentTables Intents UniformTypeIdentifiers UserActivity
                """,
            with: "RepositoryRoot ToolRunner",
            besides: ["api", "apple"]),
    ])

// MARK: End to end: the whole program, its documents and its packages

let endToEnd = room(
    "EndToEnd",
    tests: [
        tests(
            "KillTests",
            of: """
                AsyncOperations Basics CloudClient CloudModel HTTPClient JSON cksweep cloudkit-mock
                """,
            with: "LeakSearch RandomSeeds RepositoryRoot ToolRunner",
            besides: [
                "asset_clients.py", "chain.txt", "connecting.py", "failing_disk.c", "flood.py",
                "transcript.py",
            ]),
        tests(
            "LiarTests",
            of: """
                AsyncOperations Basics CloudClient CloudCourier CloudModel Configuration
                DeletionPlanning HTTPClient Journal OpenSSL SQLite SweepEngine
                """,
            with: "Liar RandomSeeds"),
        tests(
            "WorldTests",
            of: """
                AsyncOperations Basics CloudClient CloudCourier CloudModel Configuration
                DeletionPlanning HTTPClient HTTPServer JSON Journal MockHost MockStore OpenSSL
                SweepEngine
                """,
            with: "InProcessMock RandomSeeds"),
        tests(
            "PackagingTests",
            of: "Basics CommandLine Commands MockCommands cksweep cloudkit-mock",
            with: "RepositoryRoot ToolRunner",
            besides: ["completing.py"]),
    ])

let documents = room(
    "EndToEnd",
    tests: [
        tests(
            "DocumentTests",
            of: """
                CloudKit CloudKitMock CommandLine Commands CoreSpotlight DonationStore Intents
                MockCommands UserActivity cksweep cloudkit-mock
                """,
            with: "EraserSwift6 NotesExample RepositoryRoot ToolRunner",
            besides: ["Context", "Setup"])
    ])

// MARK: Support: what tests are made with, and the checks of this repository itself

let support = room(
    "Support",
    tests: [
        c("CBrokenCurl"), c("CStuckResolver"), c("CSyncCounter"), c("CToolRunner"),
        helper("LeakSearch"), helper("RandomSeeds"), helper("RepositoryRoot"),
        helper("ToolRunner", uses: "AsyncOperations CToolRunner"),
        helper("RawHTTPServer", uses: "AsyncOperations OpenSSL"),
        helper("TimeStampAuthority", uses: "ToolRunner"),
        helper("PostgreSQLCluster", uses: "AsyncOperations PostgreSQL ToolRunner"),
        helper("SyncStorageContract", uses: "Basics CloudModel DonationSync Donations"),
        helper("DonationScript", uses: "Basics DonationStore Donations"),
        helper(
            "CommandWorld",
            uses: """
                AsyncOperations Basics CommandLine FileSystem Host MockCommands RepositoryRoot
                ToolRunner
                """),
        helper("MockSamples", uses: "Basics CloudModel MockFaults"),
        helper(
            "InProcessMock",
            uses: """
                AsyncOperations Basics CloudModel CloudWire FileSystem MockFaults MockStore SQLite
                """),
        helper(
            "Liar",
            uses: """
                AsyncOperations Basics HTTPServer InProcessMock MockHost MockService MockStore OpenSSL
                """,
            optimized: true),
        child("AnswerMemory", uses: "CloudModel CloudWire"),
        child("JournalChild", uses: "Basics CloudModel Journal"),
        child("DonationChild", uses: "DonationScript DonationStore Donations"),
        tests(
            "TidyTests", of: "MockAdmin MockHost MockRules MockStore",
            with: "RepositoryRoot ToolRunner"),
    ])

let examples = room(
    "Examples",
    tests: [
        child("NotesExample", in: "swift", uses: "CloudKit")
    ])

let benchmarks = room(
    "Benchmarks",
    tests: [
        c("ZoneLoad", uses: "CNghttp2 COpenSSL", isProgram: true),
        child("AppleSample", uses: "AsyncOperations Basics CloudClient CloudModel HTTPClient"),
        child(
            "DonationBench",
            uses: """
                AsyncOperations Basics CloudModel CloudWire DonationStore DonationSync Donations
                JSON SQLite SyncEngine
                """),
        child("CloudKitLoad", uses: "Basics CloudClient CloudKit CloudModel HTTPClient"),
    ])

let fuzz = room(
    "Fuzz",
    tests: [
        c("CFuzzer"),
        child(
            "Fuzz",
            uses: """
                Basics CFuzzer CloudModel CloudWire DataExport Evidence FileSystem HTTPServer
                InProcessMock JSON MockFaults MockHost MockStore OpenSSL SweepEngine
                """),
    ])

// MARK: The package

let package = Package(
    name: "cksweep",
    products: ["cksweep", "cloudkit-mock"].map { .executable(name: $0, targets: [$0]) },
    targets: system + cloud + donations + mock + sweep + endToEnd + support)

#if os(Linux)
    package.products += [
        "CloudKit", "CloudKitMock", "ContinuationHost", "CoreLocation", "CoreSpotlight",
        "DonationStore", "Intents", "UniformTypeIdentifiers", "UserActivity",
    ].map { .library(name: $0, targets: [$0]) }
    package.targets += apple + documents + examples
#endif

// Programs that only their scripts build.
if Context.environment["CKSWEEP_BENCHMARKS"] != nil { package.targets += benchmarks }
if Context.environment["CKSWEEP_FUZZ"] != nil { package.targets += fuzz }

// While working on some modules, CKSWEEP_TESTS=JournalTests,SQLiteTests builds only these tests.
if let only = Context.environment["CKSWEEP_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !only.contains($0.name) }
}

// MARK: Kinds of targets

/// A target, once it is known in which folder it lies.
typealias Placed = (_ folder: String) -> Target

func room(_ name: String, sources: [Placed] = [], tests: [Placed]) -> [Target] {
    sources.map { $0("Sources/\(name)") } + tests.map { $0("Tests/\(name)") }
}

/// Names of targets, separated by spaces.
struct Names: ExpressibleByStringLiteral {
    let dependencies: [Target.Dependency]

    init(stringLiteral text: String) {
        dependencies = text.split { $0 == " " || $0 == "\n" }.map { .byName(name: String($0)) }
    }
}

extension [SwiftSetting] {
    /// The flags of every Swift target: language mode 6, imports internal unless a signature needs
    /// them, every unsafe expression marked, and no warning let through.
    static var strict: Self {
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .strictMemorySafety(),
            .treatAllWarnings(as: .error),
        ]
    }
}

/// One Swift module; `uses` lists the modules it may import, and CI refuses any other.
func module(
    _ name: String, uses: Names = "", embeds: [String] = [],
    plugins: [Target.PluginUsage] = []
) -> Placed {
    {
        .target(
            name: name, dependencies: uses.dependencies, path: "\($0)/\(name)",
            resources: embeds.map { .embedInCode($0) }, swiftSettings: .strict, plugins: plugins)
    }
}

/// A program, which calls one module or is small.
func program(_ name: String, in folder: String? = nil, uses: Names = "") -> Placed {
    {
        .executableTarget(
            name: name, dependencies: uses.dependencies, path: "\($0)/\(folder ?? name)",
            swiftSettings: .strict)
    }
}

/// A plugin that generates source files before a module is built.
func generator(_ name: String, in folder: String, runs tool: Target.Dependency) -> Placed {
    {
        .plugin(
            name: name, capability: .buildTool(), dependencies: [tool], path: "\($0)/\(folder)")
    }
}

/// The module map of a C library, with the Debian package that has its headers.
func c(_ name: String, library: String?, package: String) -> Placed {
    {
        .systemLibrary(
            name: name, path: "\($0)/\(name)", pkgConfig: library, providers: [.apt([package])])
    }
}

/// A module in C or C++ of our own.
func c(
    _ name: String, uses: Names = "", links: [String] = [], isProgram: Bool = false
) -> Placed {
    {
        isProgram
            ? .executableTarget(
                name: name, dependencies: uses.dependencies, path: "\($0)/\(name)",
                cSettings: [.unsafeFlags(["-O2"])])
            : .target(
                name: name, dependencies: uses.dependencies, path: "\($0)/\(name)",
                linkerSettings: links.map { .linkedLibrary($0) })
    }
}

/// One test target, named after what it tests; `besides` lists its files that are not compiled.
func tests(
    _ name: String, of modules: Names, with helpers: Names = "",
    besides files: [String] = []
) -> Placed {
    {
        .testTarget(
            name: name, dependencies: modules.dependencies + helpers.dependencies,
            path: "\($0)/\(name)", exclude: files,
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
            ])
    }
}

/// A module that several test targets share.
func helper(
    _ name: String, uses: Names = "", optimized: Bool = false
) -> Placed {
    {
        .target(
            name: name, dependencies: uses.dependencies, path: "\($0)/\(name)",
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
            ] + (optimized ? [.unsafeFlags(["-O"])] : []))
    }
}

/// A program that tests run.
func child(_ name: String, in folder: String? = nil, uses: Names) -> Placed {
    {
        .executableTarget(
            name: name, dependencies: uses.dependencies, path: "\($0)/\(folder ?? name)",
            swiftSettings: [.treatAllWarnings(as: .error)])
    }
}

/// A program as app developers write it, which the tests build and run.
func app(_ name: String, _ mode: SwiftLanguageMode) -> Placed {
    {
        .executableTarget(
            name: name, dependencies: ["CloudKit"], path: "\($0)/CloudKitApps/\(name)",
            swiftSettings: [.swiftLanguageMode(mode), .treatAllWarnings(as: .error)])
    }
}

/// An app that donates and deletes, which the tests build and run.
func donatingApp(_ name: String, _ mode: SwiftLanguageMode) -> Placed {
    {
        .executableTarget(
            name: name,
            dependencies: ["CoreSpotlight", "DonationStore", "Intents", "UserActivity"],
            path: "\($0)/IntentsApps/\(name)",
            swiftSettings: [.swiftLanguageMode(mode), .treatAllWarnings(as: .error)])
    }
}

/// An app's code in Swift 5, as a module that tests import.
func swift5Module(_ name: String, uses: Names) -> Placed {
    {
        .target(
            name: name, dependencies: uses.dependencies, path: "\($0)/\(name)",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)])
    }
}
