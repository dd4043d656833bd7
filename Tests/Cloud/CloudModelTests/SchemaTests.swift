import CloudModel
import Testing

@Suite struct SchemaTests {
    private static let example = """
        DEFINE SCHEMA

            CREATE ROLE Editor;   // who may edit

            RECORD TYPE Entry (
                "___createTime" TIMESTAMP QUERYABLE SORTABLE,
                "___recordID"   REFERENCE QUERYABLE,   -- unfiltered queries
                book            REFERENCE QUERYABLE, /* two
                lines */
                photo           ASSET,
                secret          ENCRYPTED STRING,
                secrets         LIST<ENCRYPTED INT64>,
                tags            LIST<STRING> QUERYABLE,
                title           string queryable Sortable SEARCHABLE,
                "grant"         NUMBER PREFERRED AS DOUBLE,
                count           NUMBER,
                GRANT WRITE TO "_creator",
                GRANT READ, CREATE, WRITE TO Editor
            );
            RECORD TYPE Bare ( n INT64 );
        """

    @Test func `a schema is read as it is written`() throws {
        let schema = try Schema(parsing: Self.example)
        #expect(schema.roles == ["Editor"])
        #expect(schema.recordTypes.map(\.name) == ["Entry", "Bare"])
        let entry = try #require(schema.recordType("Entry"))
        #expect(entry.field("___recordID")?.indexes.contains(.queryable) == true)
        #expect(schema.recordType("Bare")?.field("___recordID") == nil)
        #expect(entry.field("title")?.indexes == [.queryable, .sortable, .searchable])
        #expect(entry.field("tags")?.isList == true && entry.field("tags")?.kind == .string)
        #expect(entry.field("secret")?.isEncrypted == true)
        #expect(entry.field("secrets")?.isEncrypted == true)
        #expect(entry.field("grant")?.kind == .double && entry.field("count")?.kind == .int64)
        #expect(
            entry.grants == [
                .init(rights: [.write], role: "_creator"),
                .init(rights: [.read, .create, .write], role: "Editor"),
            ])
    }

    @Test(arguments: ["\r\n", "\r"])
    func `a byte order mark and the ends of lines change nothing`(end: String) throws {
        let text = "\u{FEFF}" + Self.example.replacing("\n", with: end)
        #expect(try Schema(parsing: text) == Schema(parsing: Self.example))
    }

    @Test func `a schema's text reads back as the same schema`() throws {
        let schema = try Schema(parsing: Self.example)
        #expect(try Schema(parsing: schema.text) == schema)
        #expect(try Schema(parsing: Schema().text) == Schema())
    }

    @Test(
        arguments: [
            ("", 1, 1, ["DEFINE"]), ("DEFINE SCHEME", 1, 8, ["SCHEMA"]),
            ("DEFINE SCHEMA CREATE ROLE x", 1, 28, [";"]),
            ("DEFINE SCHEMA\n  RECORD KIND x", 2, 10, ["TYPE"]),
            ("DEFINE SCHEMA\nRECORD TYPE T (\n  a STRING,\n  b TEXT\n);", 4, 5, nil),
            ("DEFINE SCHEMA RECORD TYPE T ( a STRING b INT64 );", 1, 40, nil),
            ("DEFINE SCHEMA RECORD TYPE T ( a LIST<STRING );", 1, 45, [">"]),
            ("DEFINE SCHEMA RECORD TYPE T ( a ENCRYPTED REFERENCE );", 1, 43, nil),
            ("DEFINE SCHEMA RECORD TYPE T ( a ENCRYPTED STRING QUERYABLE );", 1, 50, []),
            ("DEFINE SCHEMA RECORD TYPE T ( a STRING, a INT64 );", 1, 41, []),
            ("DEFINE SCHEMA RECORD TYPE T (a STRING); RECORD TYPE T (b STRING);", 1, 53, []),
            (
                "DEFINE SCHEMA RECORD TYPE T ( GRANT DELETE TO x );", 1, 37,
                ["READ", "CREATE", "WRITE"]
            ),
            ("DEFINE SCHEMA /* never ends", 1, 15, ["*/"]),
            ("DEFINE SCHEMA RECORD TYPE \"open", 1, 27, ["\""]),
            ("DEFINE SCHEMA #", 1, 15, ["a name", "a mark"]),
            ("DEFINE SCHEMA RECORD TYPE T ( GRANT READ TO Editor );", 1, 45, []),
            (#"DEFINE SCHEMA RECORD TYPE T ( "___etag" INT64 );"#, 1, 31, []),
            (#"DEFINE SCHEMA RECORD TYPE T ( "___recordID" LIST<REFERENCE> );"#, 1, 31, []),
            ("DEFINE SCHEMA DROP x;", 1, 15, ["CREATE", "RECORD", "the end of the file"]),
        ] as [(String, Int, Int, [String]?)])
    func `an error tells line, column and what was expected`(
        text: String, line: Int, column: Int, expected: [String]?
    ) {
        let error = #expect(throws: SchemaError.self) { try Schema(parsing: text) }
        #expect(error?.line == line && error?.column == column)
        if let expected { #expect(error?.expected == expected) }
        #expect(error?.description.contains("at line \(line), column \(column).") == true)
    }

    @Test func `any cut of a schema is refused or read, never a trap`() {
        let bytes = Array(Self.example.utf8)
        for length in 0...bytes.count {
            _ = try? Schema(parsing: String(decoding: bytes[..<length], as: UTF8.self))
        }
        #expect(throws: SchemaError.self) {
            try Schema(parsing: String(repeating: " ", count: 5 << 20))
        }
    }
}
