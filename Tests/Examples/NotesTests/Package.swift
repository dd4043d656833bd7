// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "NotesTests",
    dependencies: [
        // Wherever the package is published.
        .package(url: "https://git.example/cksweep.git", from: "1.0.0")
    ],
    targets: [
        .target(
            name: "Notes", dependencies: [.product(name: "CloudKit", package: "cksweep")]),
        .testTarget(
            name: "NotesTests",
            dependencies: [
                "Notes", .product(name: "CloudKit", package: "cksweep"),
                .product(name: "CloudKitMock", package: "cksweep"),
            ]),
    ])
