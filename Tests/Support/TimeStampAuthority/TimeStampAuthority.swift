import Foundation
import ToolRunner

/// A time stamping authority of our own, by `openssl ts`, in a folder that goes with it.
package final class TimeStampAuthority: Sendable {
    package let folder: String

    /// - Parameters:
    ///   - usage: What its certificate is for.
    ///   - saysWho: Whether its answers name it beside their certificate.
    package init(usage: String = "critical,timeStamping", saysWho: Bool = true) throws {
        folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("cksweep-tsa-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try write(
            """
            [tsa]
            serial = serial
            signer_cert = tsa.pem
            signer_key = tsa.key
            signer_digest = sha256
            default_policy = 1.2.3.4
            digests = sha256, sha512
            ess_cert_id_alg = sha256
            tsa_name = \(saysWho ? "yes" : "no")
            """, "tsa.cnf")
        try write("extendedKeyUsage=\(usage)\n", "extensions")
        let key = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        try openssl(
            ["req", "-x509", "-newkey"] + key
                + ["-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Root", "-days", "3650"])
        try openssl(
            ["req", "-newkey"] + key
                + ["-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=Authority"])
        try openssl([
            "x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
            "-CAcreateserial", "-out", "tsa.pem", "-days", "3650", "-extfile", "extensions",
        ])
    }

    deinit {
        // The folder of a test that is over: nobody relies on it.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The root's certificate in PEM.
    package var rootPath: String { folder + "/ca.pem" }

    /// The root's certificate in PEM.
    package func root() throws -> [UInt8] { try read("ca.pem") }

    /// The answer to a question in DER.
    package func reply(to query: [UInt8]) throws -> [UInt8] {
        try write(query, "query.tsq")
        try openssl([
            "ts", "-reply", "-config", "tsa.cnf", "-section", "tsa", "-queryfile", "query.tsq",
            "-out", "reply.tsr",
        ])
        return try read("reply.tsr")
    }

    /// Whether `openssl ts` takes an answer for a stamp over bytes.
    package func accepts(_ reply: [UInt8], over bytes: [UInt8]) throws -> Bool {
        try write(reply, "kept.tsr")
        try write(bytes, "data")
        let words = ["ts", "-verify", "-data", "data", "-in", "kept.tsr", "-CAfile", "ca.pem"]
        return try Tool.run("/usr/bin/openssl", words, folder: folder).status == 0
    }

    /// `openssl` failed.
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private func openssl(_ words: [String]) throws {
        let ended = try Tool.run("/usr/bin/openssl", words, folder: folder, errors: .joined)
        guard ended.status == 0 else { throw Failed(description: "\(words): \(ended.text)") }
    }

    private func write(_ text: String, _ name: String) throws { try write(Array(text.utf8), name) }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }

    private func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
    }
}
