import HTTPServer
import Testing

struct MultipartReaderTests {
    private static let type = "multipart/form-data; boundary=XyZ"

    /// The file in a body that comes in pieces of one size.
    private func read(
        _ body: String, _ type: String = type, piecesOf size: Int = .max
    ) throws -> String {
        let bytes = Array(body.utf8)
        var reader = try #require(try MultipartReader(contentType: type))
        var content: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, size == .max ? bytes.count : start + size)
            content += try reader.content(of: Array(bytes[start..<end]).span)
            start = end
        }
        try reader.finish()
        return String(decoding: content, as: UTF8.self)
    }

    private static let head =
        "Content-Disposition: form-data; name=\"files\"; filename=\"a\"\r\n"
        + "Content-Type: image/png"

    /// Bodies, and what is in their first part.
    static let bodies: [(body: String, content: String)] = [
        ("--XyZ\r\n\(head)\r\n\r\nhello\r\n--XyZ--\r\n", "hello"),
        ("--XyZ\r\n\(head)\r\n\r\n\r\n--XyZ--", ""),
        ("--XyZ\r\n\r\nno head\r\n--XyZ--\r\n", "no head"),
        ("a preamble\r\n--XyZ \r\n\(head)\r\n\r\none\r\n--XyZ\r\n\r\ntwo\r\n--XyZ--", "one"),
        ("--XyZ\r\n\(head)\r\n\r\n\r\r\n--Xy\r\n--\r\n--XyZ--", "\r\r\n--Xy\r\n--"),
        ("--XyZ\r\n\(head)\r\n\r\n--XyZ is text\r\n--XyZ--", "--XyZ is text"),
    ]

    @Test(arguments: bodies)
    func `the first part is read, wherever the body is cut`(body: String, content: String) throws {
        for size in 1...body.utf8.count { #expect(try read(body, piecesOf: size) == content) }
    }

    @Test(arguments: [
        #"multipart/form-data; boundary="XyZ""#, "Multipart/Form-Data;charset=utf-8; Boundary=XyZ",
    ])
    func `the boundary is found however it is written`(type: String) throws {
        #expect(try read(Self.bodies[0].body, type) == "hello")
    }

    @Test func `what is not whole is refused, and says why`() throws {
        func problem(_ body: String, _ type: String = Self.type) -> MultipartReader.Problem? {
            for size in [1, 3, Int.max] {
                do {
                    _ = try read(body, type, piecesOf: size)
                    return nil
                } catch let problem as MultipartReader.Problem {
                    if size == .max { return problem }
                } catch {
                    return nil
                }
            }
            return nil
        }
        #expect(problem("") == .noPart)
        #expect(problem("--XyZ--\r\n") == .noPart)
        #expect(problem("hello") == .noPart)
        #expect(problem("--XyZ\r\n\(Self.head)\r\n") == .cut)
        #expect(problem("--XyZ\r\n\(Self.head)\r\n\r\nhello\r\n--Xy") == .cut)
        let long = String(repeating: "x", count: 17 << 10)
        #expect(problem("--XyZ\r\n\(long)\r\n\r\nhello\r\n--XyZ--") == .longHead)
        for type in ["multipart/form-data", "multipart/form-data; boundary=", Self.type + long] {
            #expect(throws: MultipartReader.Problem.noBoundary) {
                try MultipartReader(contentType: type)
            }
        }
    }

    @Test(arguments: ["application/octet-stream", "", ";", "multipart/mixed; boundary=a"])
    func `another type is no form`(type: String) throws {
        let isForm = try MultipartReader(contentType: type) != nil
        #expect(!isForm)
    }
}
