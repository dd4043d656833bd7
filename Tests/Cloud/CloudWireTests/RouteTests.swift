import CloudWire
import Testing

struct RouteTests {
    static let base = "/database/1/iCloud.com.example.app/production/shared/"

    @Test(arguments: WireOperation.allCases)
    func `every operation has its path and its methods`(operation: WireOperation) throws {
        for method in ["GET", "POST", "PUT", "DELETE"] {
            do throws(WireRouteError) {
                let route = try WireRoute.parse(
                    method: method, path: Self.base + operation.rawValue, query: "")
                #expect(route.operation == operation)
                #expect(route.address.description == "iCloud.com.example.app/production/shared")
                #expect(operation.facts.methods.contains(method))
            } catch {
                #expect(!operation.facts.methods.contains(method))
                #expect(error.cloudError.httpStatus == 405)
                #expect(error.allow?.contains("POST") == true)
            }
        }
    }

    @Test(arguments: [
        ("/", 404), ("", 404), ("/favicon.ico", 404), ("/database", 404), ("/database/1", 404),
        ("/database/2/iCloud.com.example.app/production/private/zones/list", 404),
        ("/database/1/iCloud.com.example.app/production/private", 404),
        ("/database/1/iCloud.com.example.app/production/private/", 404),
        ("/database/1/iCloud.com.example.app/production/private/zones", 404),
        ("/database/1/iCloud.com.example.app/production/private/zones/list/", 404),
        ("/database/1/iCloud.com.example.app/production/private/Zones/list", 404),
        ("/database/1/iCloud.com.example.app/production/secret/zones/list", 400),
        ("/database/1/iCloud.com.example.app/staging/private/zones/list", 401),
        ("/database/1/com.example.app/production/private/zones/list", 401),
        ("/database/1/iCloud.a%2Fb/production/private/zones/list", 401),
        ("/device/1/iCloud.com.example.app/production/private/records/query", 404),
        ("/device/1/iCloud.com.example.app/production/zones/list", 404),
    ])
    func `paths that lead nowhere say how`(path: String, status: Int) throws {
        let error = try #require(throws: WireRouteError.self) {
            _ = try WireRoute.parse(method: "GET", path: path, query: "")
        }
        #expect(error.cloudError.httpStatus == status)
        #expect(error.allow == nil)
    }

    @Test(
        arguments: [
            "/database/1/iCloud.com.example/development/",
            "/device/1/iCloud.com.example/development/",
            "/database/1/iCloud.com.example/development/private/",
            "/device/1/iCloud.com.example/development/private/",
        ], ["tokens/create", "tokens/register"])
    func `push tokens are asked for with and without a database`(
        base: String, path: String
    ) throws {
        let route = try WireRoute.parse(method: "POST", path: base + path, query: "clientId=a")
        #expect(route.operation.rawValue == path)
        #expect(route.address.container.rawValue == "iCloud.com.example")
        #expect(route.address.environment == .development)
        #expect(route.query.clientID == "a")
    }

    @Test func `an escaped container is read`() throws {
        let route = try WireRoute.parse(
            method: "GET", path: "/database/1/iCloud%2Ecom.example/development/public/zones/list",
            query: "")
        #expect(route.address.container.rawValue == "iCloud.com.example")
    }

    @Test(arguments: [
        ("ckWebAuthToken=a%2Bb%2Fc%3D", "a+b/c="), ("ckWebAuthToken=a+b/c=", "a+b/c="),
        ("ckWebAuthToken=a%20b", "a+b"), ("ckSession=s", "s"),
        ("x=1&ckWebAuthToken=first&ckWebAuthToken=second", "first"), ("ckWebAuthToken", ""),
        ("ckWebAuthToken=%zz%4", "%zz%4"), ("ckapitoken=1", nil),
    ])
    func `the web token is read however its plus signs were sent`(
        query: String, expected: String?
    ) {
        #expect(WireQuery(query).webAuthToken == expected)
    }

    @Test func `parameters keep their order, and a value ends at the next parameter`() {
        let query = WireQuery("a=%2B+&b&c=d=e")
        #expect(query.items.map(\.name) == ["a", "b", "c"])
        #expect(query["a"] == "++" && query["b"] == "" && query["c"] == "d=e")
        #expect(WireQuery("").items.isEmpty)
        #expect(WireQuery("ckAPIToken=k").apiToken == "k")
    }

    @Test(arguments: [
        ("getCurrentSyncToken=true", true), ("getCurrentSyncToken=True", true),
        ("getCurrentSyncToken=false", false), ("getCurrentSyncToken", false), ("", false),
    ])
    func `the current sync token is asked for in any case`(query: String, asked: Bool) {
        #expect(WireQuery(query).wantsCurrentSyncToken == asked)
    }

    @Test func `escaping is undone by reading`() {
        let text = "a+b/c=d é&?%20"
        #expect(WireQuery.encoded(text) == "a%2Bb%2Fc%3Dd%20%C3%A9%26%3F%2520")
        #expect(WireQuery("x=" + WireQuery.encoded(text))["x"] == text)
    }
}
