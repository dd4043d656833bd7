import CloudKit
import CloudKitMock
import Notes
import XCTest

/// The same from XCTest.
final class NoteListXCTests: XCTestCase {
    func testADeletionElsewhereArrives() async throws {
        for depth in MockDepth.allCases {
            try await withMockCloud(seed: 7, depth: depth) { cloud in
                let phone = NoteList(cloud.container)
                let tablet = NoteList(try await cloud.container(device: "tablet"))
                try await phone.open()
                try await phone.add("milk", title: "Milk")
                try await tablet.refresh()
                try await phone.delete("milk")
                try await tablet.refresh()
                let left = await tablet.titles
                XCTAssertEqual(left, [:])
            }
        }
    }

    func testNothingIsLostWhenAnAnswerIs() async throws {
        try await withMockCloud(seed: 7) { cloud in
            let phone = NoteList(cloud.container)
            try await phone.open()
            try await cloud.inject(MockFault(.cutAfterCommit, on: "records/modify", nth: 1))
            do {
                try await phone.add("milk", title: "Milk")
                XCTFail("the answer was to be lost")
            } catch let error as CKError {
                XCTAssertEqual(error.code, .serverResponseLost)
            }
            try await phone.refresh()
            let titles = await phone.titles
            XCTAssertEqual(titles, ["milk": "Milk"])
        }
    }
}
