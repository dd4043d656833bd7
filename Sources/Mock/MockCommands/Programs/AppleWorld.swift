import CommandLine
import FileSystem
import MockHost

/// What a program must see to take this machine for Apple's servers: its own copies of the hosts file
/// and of the system's authorities, in a folder of their own, and variables for those that read neither.
struct AppleWorld {
    /// Apple's names that clients of CloudKit call.
    static let hosts = [
        "api.apple-cloudkit.com", "cdn.apple-cloudkit.com", "setup.apple-cloudkit.com",
        "www.icloud.com", "setup.icloud.com", "ckdatabasews.icloud.com", "idmsa.apple.com",
        "cvws.icloud-content.com",
    ]

    private static let hostsFile = "/etc/hosts"
    /// Where systems keep the authorities that they trust: Debian, Fedora, openSUSE, Alpine.
    private static let bundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
    /// The variables of curl, OpenSSL (and with it Go and Ruby), Python's requests, Git, Deno, the AWS
    /// libraries, Perl, Python's httplib2, pip and Cargo that name a file with all authorities.
    private static let bundleVariables = [
        "CURL_CA_BUNDLE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO", "DENO_CERT",
        "AWS_CA_BUNDLE", "PERL_LWP_SSL_CA_FILE", "HTTPLIB2_CA_CERTS", "PIP_CERT",
        "CARGO_HTTP_CAINFO",
    ]
    /// Node reads authorities besides its own from here.
    private static let nodeVariable = "NODE_EXTRA_CA_CERTS"
    /// Java's own list; a program that is started by `java` reads its options from here.
    private static let javaVariable = "JDK_JAVA_OPTIONS"

    let folder: String
    let names: [String]
    private let files: Files

    /// - Parameters:
    ///   - folder: Made when missing; belongs to this world alone.
    ///   - names: Hosts besides ``hosts``.
    init(folder: String, names: [String], _ files: Files) {
        self.folder = folder
        self.names = Self.hosts + names.filter { !Self.hosts.contains($0) }
        self.files = files
    }

    private var ownHosts: String { folder + "/hosts" }
    private var ownBundle: String { folder + "/ca-bundle.pem" }
    private var ownJavaStore: String { folder + "/cacerts.jks" }
    /// Where a mock server with this state folder looks for its own.
    private var authority: CertificateFolder { CertificateFolder(stateFolder: folder) }

    /// Writes the files. The authority is new and is trusted nowhere else.
    ///
    /// - Parameter now: Seconds since 1970.
    /// - Returns: Which file is to be seen at which place.
    func prepare(now: Int64) throws(CommandFailure) -> [(file: String, place: String)] {
        do throws(FileError) {
            try files.makeFolder(folder)
            var mounts: [(file: String, place: String)] = []
            let own = try makeAuthority(now: now)
            let known = files.facts(Self.hostsFile) == nil ? [] : try files.read(Self.hostsFile)
            let lines = names.map { "127.0.0.1 \($0)\n" }.joined()
            // The first line that names a host counts.
            try files.write(Array(lines.utf8) + known, to: ownHosts, replacing: true)
            if files.facts(Self.hostsFile) != nil { mounts.append((ownHosts, Self.hostsFile)) }
            let places = Self.bundles.filter { files.facts($0)?.isFolder == false }
            let trusted = try places.first.map { path throws(FileError) in try files.read(path) }
            try files.write((trusted ?? []) + [0x0A] + own, to: ownBundle, replacing: true)
            try files.write(
                JavaTrustStore.bytes(authorities: [own], at: now), to: ownJavaStore,
                replacing: true)
            return mounts + places.map { (ownBundle, $0) }
        } catch {
            throw CommandFailure(error)
        }
    }

    private func makeAuthority(now: Int64) throws(FileError) -> [UInt8] {
        do throws(MockServerError) {
            return try authority.authority(names: names, now: now).certificatePEM
        } catch {
            throw FileError(folder, "cannot hold an authority: \(error)")
        }
    }

    /// The variables that lead runtimes to the authority.
    func variables(over known: [String: String]) -> [String: String] {
        var variables = known
        for name in Self.bundleVariables { variables[name] = ownBundle }
        variables[Self.nodeVariable] = authority.certificateFile
        variables[Self.javaVariable] = [
            known[Self.javaVariable], "-Djavax.net.ssl.trustStore=\(ownJavaStore)",
            "-Djavax.net.ssl.trustStoreType=JKS",
        ].compactMap { $0 }.joined(separator: " ")
        // What goes through a proxy would not come here.
        for name in ["http_proxy", "https_proxy", "all_proxy"] {
            variables[name] = nil
            variables[name.uppercased()] = nil
        }
        return variables
    }
}
