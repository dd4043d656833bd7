// swift-tools-version: 6.2
import PackageDescription

/// The flags of every Swift target: language mode 6, imports internal unless a signature needs
/// them, every unsafe expression marked, and no warning let through.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

/// One Swift module; `uses` lists the modules it may import, and CI refuses any other.
func module(
    _ name: String, uses: [Target.Dependency] = [], resources: [Resource]? = nil,
    plugins: [Target.PluginUsage] = []
) -> Target {
    .target(
        name: name, dependencies: uses, resources: resources, swiftSettings: strict,
        plugins: plugins)
}

/// One test target, named after what it tests.
func tests(
    _ name: String, uses: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: uses, exclude: exclude,
        swiftSettings: [
            .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
        ])
}

/// A program as app developers write it, which the tests build and run.
func app(_ name: String, _ mode: SwiftLanguageMode) -> Target {
    .executableTarget(
        name: name, dependencies: ["CloudKit"], path: "Tests/CloudKitApps/\(name)",
        swiftSettings: [.swiftLanguageMode(mode), .treatAllWarnings(as: .error)])
}

/// An app that donates and deletes, which the tests build and run.
func donatingApp(_ name: String, _ mode: SwiftLanguageMode) -> Target {
    .executableTarget(
        name: name, dependencies: ["CoreSpotlight", "DonationStore", "Intents", "UserActivity"],
        path: "Tests/IntentsApps/\(name)",
        swiftSettings: [.swiftLanguageMode(mode), .treatAllWarnings(as: .error)])
}

/// The mock server's console, which the program carries.
let consoleFiles = [
    "index.html", "console.css", "icon.svg", "acts.js", "api.js", "archive.js", "asset.js",
    "clock.js", "console.js", "data.js", "database.js", "devices.js", "dialog.js", "dom.js",
    "download.js", "edit.js", "explain.js", "faults.js", "feed.js", "find.js", "findings.js",
    "gates.js", "journal.js", "life.js", "list.js", "people.js", "places.js", "record.js",
    "repeat.js", "request.js", "server.js", "switches.js", "token.js", "values.js", "worlds.js",
    "zone.js",
]

let package = Package(
    name: "cksweep",
    products: [.executable(name: "cksweep", targets: ["cksweep"])],
    targets: [
        // 1  C libraries: module maps and shim headers, no logic
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(
            name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CUnistring", providers: [.apt(["libunistring-dev"])]),
        .target(
            name: "CSimdjson",
            linkerSettings: [
                .linkedLibrary("simdjson"), .linkedLibrary("stdc++"), .linkedLibrary("m"),
            ]),
        .target(name: "CShims"),

        // 2  nouns and the queue
        module("CivilDates"),
        module("CloudModel", uses: ["CivilDates"]),
        module("AsyncOperations", uses: ["CShims"]),

        // 3  wrappers and pure decisions
        module("SQLite", uses: ["CSQLite"]),
        module("PostgreSQL", uses: ["CPostgreSQL", "CShims", "AsyncOperations"]),
        module("OpenSSL", uses: ["COpenSSL"]),
        module("JSON", uses: ["CSimdjson"]),
        module("Unistring", uses: ["CUnistring"]),
        module("FileSystem", uses: ["CShims", "AsyncOperations"]),
        module("Host", uses: ["CShims", "AsyncOperations", "FileSystem"]),
        module("DeletionPlanning", uses: ["CivilDates", "CloudModel"]),
        module("Donations", uses: ["CivilDates", "CloudModel", "Unistring"]),
        module("DonationSync", uses: ["CloudModel", "Donations"]),
        module("RecordSync", uses: ["CloudModel"]),

        // 4  on disk, sockets, bytes <-> values
        module(
            "Journal",
            uses: ["SQLite", "CloudModel", "AsyncOperations", "FileSystem", "OpenSSL"]),
        module(
            "DonationStore",
            uses: [
                "SQLite", "Donations", "DonationSync", "CloudModel", "AsyncOperations", "OpenSSL",
                "FileSystem",
            ]),
        module("Evidence", uses: ["CloudModel", "OpenSSL", "FileSystem"]),
        module("HTTPClient", uses: ["CCurl", "AsyncOperations", "OpenSSL"]),
        module(
            "HTTPServer",
            uses: [
                "OpenSSL", "AsyncOperations", "CivilDates", "CNghttp2", "COpenSSL", "CShims",
            ]),
        module("CloudWire", uses: ["CloudModel", "JSON"]),
        module(
            "DataExport",
            uses: [
                "SQLite", "OpenSSL", "JSON", "FileSystem", "CloudModel", "CloudWire",
                "AsyncOperations",
            ]),

        // 5  the conductors and the two ends of the wire
        module("CloudCourier", uses: ["CloudModel", "AsyncOperations", "OpenSSL"]),
        module(
            "CloudClient",
            uses: [
                "CloudModel", "CloudWire", "HTTPClient", "OpenSSL", "AsyncOperations", "FileSystem",
            ]),
        module(
            "MockServer",
            uses: [
                "CloudModel", "CloudWire", "HTTPServer", "SQLite", "OpenSSL", "AsyncOperations",
                "JSON", "FileSystem",
            ],
            resources: consoleFiles.map { .embedInCode("Server/Console/" + $0) }),
        module(
            "MockRecording",
            uses: [
                "CloudModel", "CloudWire", "HTTPClient", "HTTPServer", "MockServer", "OpenSSL",
                "AsyncOperations", "JSON", "FileSystem",
            ]),
        module(
            "SweepEngine",
            uses: [
                "CivilDates", "CloudModel", "CloudCourier", "DeletionPlanning", "Journal",
                "AsyncOperations", "OpenSSL", "JSON", "Donations", "DonationSync",
                "DonationStore", "FileSystem", "DataExport", "Evidence",
            ]),
        module("ErasureQueue", uses: ["PostgreSQL", "OpenSSL", "AsyncOperations"]),
        module(
            "SyncEngine",
            uses: [
                "CloudModel", "CloudCourier", "Journal", "AsyncOperations", "OpenSSL",
                "DonationSync", "DonationStore",
            ]),

        // 6, 7  what people write down, verbs, and one call
        module("Configuration", uses: ["CloudModel", "DeletionPlanning", "JSON", "FileSystem"]),
        module("DonationFiles", uses: ["CloudModel", "Configuration", "Donations", "JSON"]),
        module("CommandTable", uses: ["CivilDates", "CloudModel", "Donations"]),
        module(
            "Commands",
            uses: [
                "CommandTable", "Configuration", "DonationFiles", "Evidence", "Host",
                "CivilDates", "CloudModel", "AsyncOperations", "DeletionPlanning", "Journal",
                "CloudCourier", "SweepEngine", "SyncEngine", "CloudClient", "CloudWire",
                "MockServer",
                "MockRecording", "HTTPClient", "HTTPServer", "OpenSSL", "JSON", "SQLite", "CShims",
                "Donations", "DonationSync", "DonationStore", "FileSystem", "DataExport",
            ],
            // A link to Containers/fixtures/demo.json: the program carries the fixture.
            resources: [.embedInCode("Demo/demo.json")]),
        .executableTarget(name: "cksweep", dependencies: ["Commands"], swiftSettings: strict),

        // tests
        tests(
            "CommandsTests",
            uses: [
                "RepositoryRoot", "Commands", "CommandTable", "Configuration", "Host", "CloudModel",
                "AsyncOperations",
                "CloudCourier",
                "SweepEngine", "SyncEngine", "JSON", "ToolRunner", "CloudClient", "DonationStore",
                "DonationSync", "Donations",
                "HTTPClient", "HTTPServer", "MockServer", "DataExport", "FileSystem",
                "Evidence", "LeakSearch", "OpenSSL", "RawHTTPServer", "TimeStampAuthority",
            ],
            exclude: ["Snapshots"]),
        tests(
            "ConfigurationTests",
            uses: [
                "RepositoryRoot", "Configuration", "CloudModel", "DeletionPlanning", "FileSystem",
            ],
            exclude: ["App"]),
        tests("CloudModelTests", uses: ["CivilDates", "CloudModel"]),
        tests("JSONTests", uses: ["JSON", "CloudModel"]),
        tests(
            "CloudWireTests",
            uses: [
                "RepositoryRoot", "CloudWire", "CloudModel", "JSON", "ToolRunner", "AnswerMemory",
                "RandomSeeds",
            ]),
        .executableTarget(
            name: "AnswerMemory", dependencies: ["CloudModel", "CloudWire"],
            path: "Tests/AnswerMemory", swiftSettings: [.treatAllWarnings(as: .error)]),
        tests("AsyncOperationsTests", uses: ["AsyncOperations", "CloudModel"]),
        .target(
            name: "RawHTTPServer", dependencies: ["OpenSSL", "AsyncOperations"],
            path: "Tests/RawHTTPServer",
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
            ]),
        .target(
            name: "Liar",
            dependencies: [
                "AsyncOperations", "CloudModel", "HTTPServer", "InProcessMock", "MockServer",
                "OpenSSL",
            ],
            path: "Tests/Liar",
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
                .unsafeFlags(["-O"]),
            ]),
        .target(
            name: "InProcessMock",
            dependencies: [
                "AsyncOperations", "CloudModel", "CloudWire", "HTTPServer", "MockServer",
            ],
            path: "Tests/InProcessMock",
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
            ]),
        .target(name: "CToolRunner", path: "Tests/CToolRunner"),
        .target(name: "CSyncCounter", path: "Tests/CSyncCounter"),
        .target(name: "CStuckResolver", path: "Tests/CStuckResolver"),
        .target(name: "CBrokenCurl", path: "Tests/CBrokenCurl"),
        .target(
            name: "ToolRunner", dependencies: ["CToolRunner", "AsyncOperations"],
            path: "Tests/ToolRunner",
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
            ]),
        .target(
            name: "TimeStampAuthority", dependencies: ["ToolRunner"],
            path: "Tests/TimeStampAuthority",
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
            ]),
        .target(
            name: "RandomSeeds", path: "Tests/RandomSeeds",
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
            ]),
        .target(
            name: "RepositoryRoot", path: "Tests/Support/RepositoryRoot",
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
            ]),
        .target(
            name: "LeakSearch", path: "Tests/LeakSearch",
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
            ]),
        tests(
            "HTTPClientTests",
            uses: [
                "HTTPClient", "HTTPServer", "OpenSSL", "AsyncOperations", "RawHTTPServer",
                "CStuckResolver", "CBrokenCurl", "RandomSeeds",
            ]),
        tests(
            "CloudClientTests",
            uses: [
                "CloudClient", "CloudModel", "FileSystem", "HTTPClient", "OpenSSL",
                "AsyncOperations", "RawHTTPServer",
            ]),
        tests(
            "LiarTests",
            uses: [
                "Liar", "AsyncOperations", "CloudClient", "CloudCourier", "CloudModel",
                "DeletionPlanning", "HTTPClient", "Journal", "OpenSSL", "SQLite", "SweepEngine",
                "RandomSeeds",
            ]),
        tests(
            "MockRecordingTests",
            uses: [
                "MockRecording", "MockServer", "CloudModel", "CloudWire", "HTTPClient",
                "HTTPServer", "OpenSSL", "FileSystem", "JSON", "ToolRunner", "RandomSeeds",
            ]),
        tests("TidyTests", uses: ["RepositoryRoot", "MockServer", "ToolRunner"]),
        tests(
            "PackagingTests",
            uses: ["RepositoryRoot", "CivilDates", "CommandTable", "ToolRunner", "cksweep"],
            exclude: ["completing.py"]),
        tests(
            "KillTests",
            uses: [
                "RepositoryRoot", "AsyncOperations", "CloudClient", "CloudModel", "HTTPClient",
                "JSON", "LeakSearch",
                "ToolRunner",
                "cksweep", "RandomSeeds",
            ],
            exclude: [
                "failing_disk.c", "asset_clients.py", "connecting.py", "flood.py", "transcript.py",
                "chain.txt",
            ]),
        tests(
            "SweepFaultTests",
            uses: [
                "AsyncOperations", "CloudCourier", "CloudModel", "CloudWire", "DeletionPlanning",
                "HTTPServer", "InProcessMock", "JSON", "MockServer", "SweepEngine", "RandomSeeds",
            ]),
        tests(
            "HTTPServerTests",
            uses: ["HTTPServer", "OpenSSL", "AsyncOperations", "CShims", "ToolRunner"]),
        tests(
            "EvidenceTests",
            uses: [
                "RepositoryRoot", "Evidence", "CloudModel", "FileSystem", "OpenSSL",
                "TimeStampAuthority",
                "ToolRunner",
            ]),
        tests("DataExportTests", uses: ["DataExport", "CloudModel", "FileSystem", "OpenSSL"]),
        tests("OpenSSLTests", uses: ["OpenSSL", "ToolRunner"]),
        tests(
            "MockServerTests",
            uses: [
                "RepositoryRoot", "MockServer", "CloudModel", "CloudWire", "HTTPServer",
                "InProcessMock", "JSON",
                "OpenSSL", "AsyncOperations", "SQLite", "ToolRunner",
            ]),
        tests(
            "ContractTests",
            uses: [
                "InProcessMock", "AsyncOperations", "CloudClient", "CloudModel", "HTTPClient",
                "JSON", "MockServer",
                "OpenSSL",
            ]),
        tests(
            "WorldTests",
            uses: [
                "AsyncOperations", "CloudClient", "CloudCourier", "CloudModel",
                "DeletionPlanning", "HTTPClient", "HTTPServer", "InProcessMock", "JSON", "Journal",
                "MockServer", "OpenSSL", "SweepEngine", "RandomSeeds",
            ]),
        tests("SQLiteTests", uses: ["SQLite"]),
        .target(
            name: "PostgreSQLCluster",
            dependencies: ["AsyncOperations", "PostgreSQL", "ToolRunner"],
            path: "Tests/PostgreSQLCluster",
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
            ]),
        tests(
            "PostgreSQLTests",
            uses: ["PostgreSQL", "PostgreSQLCluster", "AsyncOperations", "ToolRunner"]),
        tests(
            "ErasureQueueTests",
            uses: [
                "ErasureQueue", "PostgreSQL", "PostgreSQLCluster", "AsyncOperations", "RandomSeeds",
            ]),
        tests(
            "MockStoreTests",
            uses: [
                "InProcessMock", "MockServer", "CloudModel", "AsyncOperations", "SQLite",
                "CloudWire", "FileSystem", "RandomSeeds",
            ]),
        tests("DonationsTests", uses: ["Donations", "CloudModel", "RandomSeeds"]),
        tests(
            "DonationSyncTests",
            uses: [
                "RepositoryRoot", "InProcessMock", "DonationSync", "CloudModel", "Donations",
                "DonationStore",
                "MockServer", "Intents", "UserActivity", "CoreSpotlight",
                "AsyncOperations", "SyncStorageContract", "RandomSeeds",
            ]),
        tests("RecordSyncTests", uses: ["RecordSync", "CloudModel", "RandomSeeds"]),
        .target(
            name: "SyncStorageContract", dependencies: ["CloudModel", "DonationSync", "Donations"],
            path: "Tests/SyncStorageContract",
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
            ]),
        .target(
            name: "DonationScript", dependencies: ["CloudModel", "DonationStore", "Donations"],
            path: "Tests/DonationScript", swiftSettings: strict),
        .executableTarget(
            name: "DonationChild",
            dependencies: ["CloudModel", "DonationScript", "DonationStore", "Donations"],
            path: "Tests/DonationChild", swiftSettings: [.treatAllWarnings(as: .error)]),
        tests(
            "DonationStoreTests",
            uses: [
                "RepositoryRoot", "DonationStore", "DonationSync", "SyncStorageContract",
                "Donations", "CloudModel",
                "SQLite", "AsyncOperations",
                "DonationChild", "DonationScript", "ToolRunner", "RandomSeeds",
            ]),
        tests(
            "DeletionPlanningTests", uses: ["DeletionPlanning", "CivilDates", "CloudModel"]),
        .executableTarget(
            name: "JournalChild", dependencies: ["CloudModel", "Journal"],
            path: "Tests/JournalChild", swiftSettings: [.treatAllWarnings(as: .error)]),
        tests(
            "JournalTests",
            uses: [
                "Journal", "CloudModel", "AsyncOperations", "FileSystem", "OpenSSL", "SQLite",
                "ToolRunner", "JournalChild", "CSyncCounter", "RandomSeeds",
            ]),
        tests(
            "SweepEngineTests",
            uses: [
                "RepositoryRoot", "CivilDates", "InProcessMock", "SweepEngine", "SyncEngine",
                "CloudCourier",
                "DeletionPlanning",
                "Journal",
                "CloudModel", "AsyncOperations", "OpenSSL", "SQLite", "MockServer", "DonationStore",
                "DonationSync", "Donations", "CSyncCounter", "Evidence", "LeakSearch",
            ]),
    ]
)

// Apple's module names for app code on Linux; elsewhere the real frameworks are used.
#if os(Linux)
    package.products += [
        .library(name: "CloudKit", targets: ["CloudKit"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
        .library(name: "UserActivity", targets: ["UserActivity"]),
        .library(name: "ContinuationHost", targets: ["ContinuationHost"]),
        .library(name: "CoreSpotlight", targets: ["CoreSpotlight"]),
        .library(name: "Intents", targets: ["Intents"]),
        .library(name: "DonationStore", targets: ["DonationStore"]),
        .library(name: "CloudKitMock", targets: ["CloudKitMock"]),
    ]
    package.targets += [
        module("CoreLocation"),
        module("UniformTypeIdentifiers"),
        module(
            "CloudKit",
            uses: [
                "CoreLocation", "CloudModel", "CloudWire", "CloudClient", "HTTPClient", "OpenSSL",
                "AsyncOperations", "Configuration", "FileSystem", "RecordSync",
            ]),
        module(
            "UserActivity",
            uses: [
                "CoreLocation", "UniformTypeIdentifiers", "Donations", "DonationStore",
                "AsyncOperations", "CloudModel",
            ]),
        module("ContinuationHost", uses: ["UserActivity"]),
        module(
            "CoreSpotlight",
            uses: [
                "UserActivity", "CoreLocation", "UniformTypeIdentifiers", "Donations",
                "DonationStore", "AsyncOperations", "CloudModel",
            ]),
        .executableTarget(
            name: "IntentTables", path: "Sources/IntentTables/Tool", swiftSettings: strict),
        .plugin(
            name: "GenerateIntents", capability: .buildTool(), dependencies: ["IntentTables"],
            path: "Sources/IntentTables/Plugin"),
        module(
            "Intents",
            uses: [
                "UserActivity", "ContinuationHost", "CoreLocation", "Donations", "DonationStore",
                "CloudModel", "AsyncOperations",
            ], plugins: ["GenerateIntents"]),
        module(
            "CloudKitMock",
            uses: [
                "CloudKit", "MockServer", "CloudModel", "CloudWire", "CloudClient", "HTTPClient",
                "HTTPServer", "JSON", "AsyncOperations",
            ]),
        tests(
            "LibraryTests",
            uses: [
                "RepositoryRoot", "CloudKit", "CloudKitMock", "ContinuationHost", "CoreLocation",
                "CoreSpotlight",
                "DonationStore", "IntentTables", "Intents", "ToolRunner", "UniformTypeIdentifiers",
                "UserActivity",
            ], exclude: ["api", "apple"]),
        tests(
            "DocumentTests",
            uses: [
                "RepositoryRoot", "CloudKit", "CloudKitMock", "CommandTable", "Commands",
                "CoreSpotlight",
                "DonationStore", "EraserSwift6", "Intents", "NotesExample", "ToolRunner",
                "UserActivity", "cksweep",
            ], exclude: ["Context", "Setup"]),
        tests("CloudKitMockTests", uses: ["CloudKit", "CloudKitMock", "ToolRunner"]),
        tests(
            "CloudKitTests",
            uses: [
                "RepositoryRoot", "InProcessMock", "CloudKit", "CloudKitMock", "MockServer",
                "CloudModel",
                "AsyncOperations", "FileSystem", "OpenSSL", "ToolRunner", "cksweep",
                "BackendSwift6", "EraserSwift5", "EraserSwift6", "ListenerSwift5", "ListenerSwift6",
                "SharerSwift5", "SharerSwift6", "StewardSwift5", "StewardSwift6",
            ], exclude: ["api.txt"]),
        app("BackendSwift6", .v6), app("EraserSwift5", .v5), app("EraserSwift6", .v6),
        app("ListenerSwift5", .v5), app("ListenerSwift6", .v6),
        app("SharerSwift5", .v5), app("SharerSwift6", .v6),
        app("NotesSwift5", .v5), app("NotesSwift6", .v6),
        app("StewardSwift5", .v5), app("StewardSwift6", .v6),
        .executableTarget(
            name: "NotesExample", dependencies: ["CloudKit"], path: "Tests/Examples/swift",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "SwiftFiveApp", dependencies: ["UserActivity", "ContinuationHost"],
            path: "Tests/SwiftFiveApp",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        tests(
            "UserActivityTests",
            uses: [
                "UserActivity", "ContinuationHost", "SwiftFiveApp", "DonationStore", "Donations",
                "AsyncOperations", "CloudModel", "RandomSeeds",
            ]),
        .target(
            name: "SpotlightAppSwift5", dependencies: ["CoreSpotlight"],
            path: "Tests/SpotlightAppSwift5",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        tests(
            "CoreSpotlightTests",
            uses: [
                "CoreSpotlight", "DonationStore", "DonationSync", "Donations", "CloudModel",
                "AsyncOperations", "SpotlightAppSwift5", "RandomSeeds",
            ]),
        donatingApp("SoupChef", .v6), donatingApp("SoupChefSwift5", .v5),
        donatingApp("Messenger", .v6), donatingApp("MessengerSwift5", .v5),
        tests(
            "IntentsTests",
            uses: [
                "Intents", "UserActivity", "CoreSpotlight", "DonationStore", "Donations",
                "CloudModel", "AsyncOperations", "ToolRunner", "SoupChef", "SoupChefSwift5",
                "Messenger", "MessengerSwift5", "RandomSeeds", "SyncEngine", "CloudCourier",
                "InProcessMock", "MockServer",
            ]),
    ]
#endif

// While working on some modules, CKSWEEP_TESTS=JournalTests,SQLiteTests builds only these tests.
if let only = Context.environment["CKSWEEP_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !only.contains($0.name) }
}

// Programs that only their scripts build.
if Context.environment["CKSWEEP_BENCHMARKS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "ZoneLoad", dependencies: ["COpenSSL", "CNghttp2"],
            path: "Tests/Benchmarks/ZoneLoad", cSettings: [.unsafeFlags(["-O2"])]))
    package.targets.append(
        .executableTarget(
            name: "AppleSample",
            dependencies: ["AsyncOperations", "CloudClient", "CloudModel", "HTTPClient"],
            path: "Tests/Benchmarks/AppleSample",
            swiftSettings: [.enableUpcomingFeature("ExistentialAny")]))
    package.targets.append(
        .executableTarget(
            name: "DonationBench",
            dependencies: [
                "AsyncOperations", "CloudModel", "CloudWire", "DonationStore", "DonationSync",
                "Donations", "JSON", "SQLite", "SyncEngine", "CloudCourier",
            ],
            path: "Tests/Benchmarks/DonationBench",
            swiftSettings: [.enableUpcomingFeature("ExistentialAny")]))
    package.targets.append(
        .executableTarget(
            name: "CloudKitLoad",
            dependencies: ["CloudClient", "CloudKit", "CloudModel", "HTTPClient"],
            path: "Tests/Benchmarks/CloudKitLoad",
            swiftSettings: [.enableUpcomingFeature("ExistentialAny")]))
}
if Context.environment["CKSWEEP_FUZZ"] != nil {
    package.targets += [
        .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CFuzzer", "CloudModel", "CloudWire", "DataExport", "Evidence", "FileSystem",
                "HTTPServer", "InProcessMock", "JSON", "MockServer", "OpenSSL", "SweepEngine",
            ],
            path: "Tests/Fuzz/Fuzz"),
    ]
}
