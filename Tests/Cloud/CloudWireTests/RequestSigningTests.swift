import CloudWire
import Testing

struct RequestSigningTests {
    @Test func `the string to sign is date, hash and path`() {
        let message = RequestSigning.message(
            date: "2026-01-15T08:30:00Z", bodyHash: "7vOa9sC0M05OOi7pTBhGBef+S3BLscLcb9NE9Ng+pq4=",
            path: "/database/1/iCloud.com.example.notes/development/public/records/query")
        #expect(
            message == "2026-01-15T08:30:00Z:7vOa9sC0M05OOi7pTBhGBef+S3BLscLcb9NE9Ng+pq4=:"
                + "/database/1/iCloud.com.example.notes/development/public/records/query")
    }

    @Test func `both forms of an empty body and of the path are accepted`() {
        let forms = RequestSigning.acceptedMessages(
            date: "D", bodyHash: RequestSigning.emptyBodyHash, path: "/p", query: "a=b")
        let hash = RequestSigning.emptyBodyHash
        #expect(forms == ["D::/p", "D:\(hash):/p", "D::/p?a=b", "D:\(hash):/p?a=b"])
        #expect(
            RequestSigning.acceptedMessages(date: "D", bodyHash: "h", path: "/p", query: "")
                == ["D:h:/p"])
    }
}
