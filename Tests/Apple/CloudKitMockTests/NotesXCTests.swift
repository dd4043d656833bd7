import CloudKit
import CloudKitMock
import XCTest

/// The same product from XCTest.
final class NotesXCTests: XCTestCase {
    func testANoteIsSaved() async throws {
        for depth in MockDepth.allCases {
            try await withMockCloud(seed: 7, depth: depth) { cloud in
                let ours = cloud.container.privateCloudDatabase
                let zone = try await ours.save(CKRecordZone(zoneName: "Notes")).zoneID
                try await ours.save(makeNote("n", zone, "Milk"))
                let count = try await cloud.requests("records/modify").count
                XCTAssertEqual(count, 1)
            }
        }
    }
}
