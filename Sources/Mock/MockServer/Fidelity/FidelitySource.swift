/// Where somebody says what CloudKit does, or has seen it.
package enum FidelitySource: String, CaseIterable, Sendable {
    case archive, documentation, headers, technote, forums, tooling
    case appleTests, syncSample, sharingSample
    case kei, mistKit, bushel, cloudyKit, photosDownloader, pyicloud
    case issues, sqliteData, canopy, syncSession, syncKit, openCloudKit, articles
    case otherRules

    /// As it is cited.
    package var name: String { facts.name }
    /// Where it can be read.
    package var place: String { facts.place }
    /// The date of the version that was read where it has one, else when it was read; as exactly as
    /// that is known.
    package var date: String { facts.date }

    private var facts: (name: String, place: String, date: String) {
        switch self {
        case .archive:
            (
                "CloudKit Web Services Reference",
                "developer.apple.com/library/archive, CloudKitWebServicesReference", "2018"
            )
        case .documentation:
            ("Apple's documentation", "developer.apple.com/documentation/cloudkit", "2026-11")
        case .headers:
            (
                "Apple's headers", "CloudKit.framework; comments also in madsmtm/objc2-generated",
                "2026-08-07"
            )
        case .technote:
            (
                "TN3162",
                "developer.apple.com/documentation/technotes, Understanding CloudKit throttles",
                "2026-11"
            )
        case .forums:
            ("Apple's developer forums", "developer.apple.com/forums/thread/NUMBER", "2026-11")
        case .tooling:
            ("Apple's tooling sample", "github.com/apple/sample-cloudkit-tooling", "2026-11")
        case .appleTests:
            (
                "Apple's own fake and tests",
                "github.com/apple-oss-distributions/Security, keychain/ckks/tests", "2025-10-04"
            )
        case .syncSample:
            ("Apple's sync sample", "github.com/apple/sample-cloudkit-sync-engine", "2026-11")
        case .sharingSample:
            ("Apple's sharing sample", "github.com/apple/sample-cloudkit-zonesharing", "2026-11")
        case .kei:
            (
                "kei", "github.com/rhoopr/kei, docs/synctoken-reference.md; seen live",
                "2026-04-30"
            )
        case .mistKit:
            (
                "MistKit",
                "github.com/brightdigit/MistKit, docs/what-cloudkit-got-wrong.md and .claude/docs; "
                    + "seen live", "2026"
            )
        case .bushel:
            ("BushelCloud", "github.com/brightdigit/BushelCloud, documentation; seen live", "2026")
        case .cloudyKit:
            (
                "CloudyKit", "github.com/camdenfullmer/CloudyKit, recorded tests; seen live",
                "2026-11"
            )
        case .photosDownloader:
            (
                "icloudpd",
                "github.com/icloud-photos-downloader/icloud_photos_downloader, tests/vcr_cassettes; "
                    + "seen live", "2026-11"
            )
        case .pyicloud:
            ("pyicloud", "github.com/timlaing/pyicloud, tests, fixtures and issues", "2026-11")
        case .issues: ("issues", "github.com/OWNER/REPOSITORY, by number; seen live", "2026-11")
        case .sqliteData:
            (
                "sqlite-data", "github.com/pointfreeco/sqlite-data, mock and tests of it",
                "2026-08-19"
            )
        case .canopy: ("Canopy", "github.com/Tact/Canopy, sources and articles", "2024-11-28")
        case .syncSession:
            ("CloudSyncSession", "github.com/ryanashcraft/CloudSyncSession", "2026-08-11")
        case .syncKit: ("SyncKit", "github.com/mentrena/SyncKit", "2026-11")
        case .openCloudKit:
            ("OpenCloudKit", "github.com/BennyKJohnson/OpenCloudKit", "2026-11")
        case .articles: ("articles", "by site", "2026-11")
        case .otherRules: ("other rules", "of this table, by number", "2026-11")
        }
    }
}
