import CloudClient
import CloudModel
import Foundation
import RawHTTPServer
import Testing

/// Pages that are larger than may be read: the records are what they are, so fewer are asked for.
struct PageSizeTests {
    private static let records = 120

    /// Serves records of so many bytes each, as many in a page as are asked for.
    private static func page(_ request: RawServer.Request, bytes: Int) -> RawServer.Reply {
        let asked = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
        let limit = asked?["resultsLimit"] as? Int ?? 0
        let first = Int(asked?["continuationMarker"] as? String ?? "") ?? 0
        let end = min(first + limit, records)
        let text = String(repeating: "x", count: bytes)
        let items = (first..<end).map {
            #"{"recordName":"r\#($0)","recordType":"Note","fields":{"t":{"value":"\#(text)"}}}"#
        }
        let next = end < records ? #","continuationMarker":"\#(end)""# : ""
        return .send(answer(200, #"{"records":[\#(items.joined(separator: ","))]\#(next)}"#))
    }

    private static func query(after marker: String?) -> CloudCommand {
        .read(
            .queryRecords(
                RecordQueryRequest(
                    query: Query(recordType: "Note"), limit: 200, continuationMarker: marker)))
    }

    private static func limits(_ service: Service) -> [Int] {
        service.server.requests.compactMap { request in
            let body = try? JSONSerialization.jsonObject(with: Data(request.body))
            return (body as? [String: Any])?["resultsLimit"] as? Int
        }
    }

    @Test func `a page that is too large is asked for in halves, and nothing is left out`()
        async throws
    {
        let service = try Service { Self.page($0, bytes: 1500) }
        defer { service.end() }
        let database = try service.database(.apiToken("api", web: nil))
        var names: [String] = []
        var marker: String?
        repeat {
            guard
                case .recordPage(let page) = try await database.perform(Self.query(after: marker))
            else { throw CloudError(.unknown) }
            for item in page.records {
                if case .record(let record) = item { names.append(record.id.recordName) }
            }
            marker = page.continuationMarker
        } while marker != nil
        #expect(names == (0..<Self.records).map { "r\($0)" })
        // What was learned holds for the pages that follow.
        #expect(Self.limits(service) == [200, 100, 50, 50, 50])
    }

    @Test func `one record that is too large fails, and says why`() async throws {
        let service = try Service { Self.page($0, bytes: 100_000) }
        defer { service.end() }
        let database = try service.database(.apiToken("api", web: nil))
        let error = await failure(database, Self.query(after: nil))
        #expect(error?.code == .answerTooLarge)
        #expect(Self.limits(service) == [200, 100, 50, 25, 12, 6, 3, 1])
        _ = await failure(database, Self.query(after: nil))
        #expect(Self.limits(service).count == 9)
    }
}
