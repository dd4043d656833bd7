import Basics
import CloudClient
import CloudModel
import OpenSSL
import Testing

/// What only a connection can show: who may come in, and whom the client believes.
@Suite struct CredentialTests {
    private let service: ServerService
    private let world: World

    init() throws {
        service = try ServerService.shared.get()
        world = try World(.tls)
    }

    private func refusal(
        _ credential: Credential, _ scope: Database.Scope = .private,
        _ command: CloudCommand = .read(.listZones(token: nil))
    ) async -> CloudError? {
        do throws(CloudError) {
            _ = try await service.database(at: world.address(scope), credential).perform(command)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: Database.Scope.allCases)
    func `a wrong API token is refused with 401`(scope: Database.Scope) async {
        let wrong = String(repeating: "0", count: 64)
        let web = WebAuthTokenStore(token: service.ready.webTokens["ada"])
        let error = await refusal(.apiToken(wrong, web: web), scope)
        #expect(error?.code == .authenticationFailed && error?.httpStatus == 401)
        #expect(web.current != nil)
    }

    @Test func `a wrong web token is refused with 401, and no message shows it`() async {
        let web = WebAuthTokenStore(token: "158__54__wrong+/=")
        let error = await refusal(.apiToken(service.ready.apiToken, web: web))
        #expect(error?.code == .authenticationFailed && error?.httpStatus == 401)
        #expect(error?.reason.contains("wrong+") == false)
    }

    @Test(arguments: [Database.Scope.private, .shared])
    func `without a user the answer is 421 and says where to sign in`(
        scope: Database.Scope
    ) async throws {
        let error = await refusal(.apiToken(service.ready.apiToken, web: nil), scope)
        #expect(error?.code == .authenticationRequired && error?.httpStatus == 421)
        let page = try #require(error?.redirectURL)
        #expect(page.hasPrefix(service.ready.url + "/_mock/signin?"))
    }

    @Test func `a user's token is of no use in place of an API token`() async {
        let web = service.ready.webTokens["ada"] ?? ""
        let error = await refusal(.apiToken(web, web: WebAuthTokenStore(token: web)))
        #expect(error?.code == .authenticationFailed)
    }

    @Test(arguments: Database.Scope.allCases)
    func `a server-to-server key reaches the public database alone`(
        scope: Database.Scope
    ) async throws {
        let code = await world.database(scope, .serverKey("s2s")).code(
            .read(.listZones(token: nil)))
        #expect(code == (scope == .public ? nil : .authenticationFailed))
    }

    @Test func `a key that was not admitted, or another under its ID, is refused`() async throws {
        let own = try P256.PrivateKey.generate()
        let unknown = String(repeating: "ab", count: 32)
        let error = await refusal(.serverKey(id: unknown, own), .public)
        #expect(error?.code == .authenticationFailed && error?.httpStatus == 401)
        let admitted = try await service.key(named: "admitted")
        #expect(await refusal(.serverKey(id: admitted.id, admitted.key), .public) == nil)
        let forged = await refusal(.serverKey(id: admitted.id, own), .public)
        #expect(forged?.code == .authenticationFailed)
    }

    // MARK: - Certificates

    @Test func `the server's own authority is believed`() async throws {
        let error = try await service.refusal(
            at: world.address(), trust: .pem(service.certificate))
        #expect(error == nil)
    }

    @Test func `a server of another authority gets no request, and the message says why`()
        async throws
    {
        let other = try CertificateAuthority.make(now: World.start.milliseconds / 1000)
        let error = try await service.refusal(
            at: world.address(), trust: .pem(other.certificatePEM))
        #expect(error?.code == .certificateUntrusted)
        #expect(error?.reason.contains("certificate") == true)
        #expect(error?.reason.contains("not trusted") == true)
        #expect(try await service.requestCount(at: world.address()) == 0)
    }

    @Test func `the system's authorities do not vouch for the mock server`() async throws {
        let error = try await service.refusal(at: world.address(), trust: .system)
        #expect(error?.code == .certificateUntrusted)
    }

    @Test func `a certificate for another host gets no request, and the message names the host`()
        async throws
    {
        let service = try ServerService(names: ["localhost"], clock: .fixed(World.start))
        let trust = service.certificate
        let error = try await service.refusal(
            at: world.address(), host: "127.0.0.1", trust: .pem(trust))
        #expect(error?.code == .certificateUntrusted)
        #expect(error?.reason.contains("certificate") == true)
        #expect(error?.reason.contains("127.0.0.1") == true)
        #expect(try await service.requestCount(at: world.address()) == 0)
    }

    @Test func `a certificate of the past gets no request, and the message says so`() async throws {
        let past = Timestamp(milliseconds: World.start.milliseconds - 5000 * 86_400_000)
        let service = try ServerService(clock: .fixed(past))
        let error = try await service.refusal(
            at: world.address(), trust: .pem(service.certificate))
        #expect(error?.code == .certificateUntrusted)
        #expect(error?.reason.contains("expired") == true)
    }
}
