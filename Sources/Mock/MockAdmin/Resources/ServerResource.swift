import CloudWire
private import Glibc
import HTTPServer
import JSON
import MockFaults
import MockService
import MockStore

/// The server itself.
struct ServerResource: AdminResource {
    let call: AdminCall

    static let endpoints = [
        AdminEndpoint(
            "GET", "", answers: ["service", "transfers", "administration", "switches"],
            isStored: false, "lists every operation, and the settings", index),
        AdminEndpoint(
            "GET", "openapi.json", answers: .object(OpenAPIDocument.members), isStored: false,
            "describes every request as OpenAPI 3.1", describe),
        AdminEndpoint(
            "GET", "health",
            answers: [
                "status", "takesNoWrites", "url", "pid", "store", "seed", .count("users"),
                "requests", "faults", "commitFailures", "generation", "startedAt",
            ], isStored: false, "returns the state of the server", health),
        AdminEndpoint(
            "GET", "ca.pem", answers: .bytes(["application/x-pem-file"]), isStored: false,
            "returns the certificate to trust", certificate),
    ]

    /// Every operation of the service and of the administration, as their tables have them.
    private func index() -> RequestOutcome {
        .object { writer in
            writer.objects("service", WireOperation.allCases) { writer, operation in
                let facts = operation.facts
                writer.member("operation", operation.rawValue)
                writer.member("path", operation.pathTemplate)
                writer.member("methods", facts.methods)
                writer.member("credential", facts.credential.rawValue)
                writer.member("modifies", facts.isModifying)
                writer.member("takes", facts.request?.label)
                writer.member("answers", facts.answer.label)
            }
            writer.objects("transfers", WireTransfer.allCases) { writer, transfer in
                writer.member("operation", transfer.rawValue)
                writer.member("path", transfer.pathPrefix + "{token}")
                writer.member("methods", transfer.methods)
            }
            writer.objects("administration", AdminEndpoint.all) { writer, operation in
                writer.member("method", operation.method)
                writer.member("path", Administration.prefix + operation.path)
                writer.member("about", operation.about)
                if !operation.query.isEmpty {
                    writer.member("query", operation.query.map(\.name))
                }
                switch operation.body {
                case .nothing: break
                case .object(let members): writer.member("body", members.map(\.name))
                case .json(let words, _), .text(let words), .file(_, let words):
                    writer.member("body", words)
                }
                writer.member("answers", operation.answers.keys)
            }
            writer.objects("switches", ServerOption.table) { writer, option in
                writer.member("name", option.name)
                writer.member("about", option.about)
                writer.member("values", option.values)
                writer.member("standard", option.standard)
            }
        }
    }

    /// Describes the server at the URL that the request was sent to.
    private func describe() -> RequestOutcome {
        .respond(HTTPResponse(json: OpenAPIDocument.bytes(servedAt: call.baseURL)))
    }

    private func health() -> RequestOutcome {
        let failure = scheduler.batches.failure
        return .object { writer in
            writer.member("status", failure == nil ? "ok" : "failing")
            // A tool that polls learns no more without the token: the seed, for one, gives away the tokens that are
            // made of it.
            guard call.isAuthorized else { return }
            if let failure { writer.member("takesNoWrites", failure.description) }
            writer.member("url", admin.address.baseURL)
            writer.member("pid", Int(getpid()))
            writer.member("store", admin.identity.isInMemory ? "memory" : "directory")
            writer.member("seed", "\(admin.identity.seed)")
            writer.member("users", store.users.count)
            writer.member("requests", observers.journal.total)
            writer.member("faults", faults.plan.entries.count)
            writer.member("commitFailures", scheduler.batches.failures)
            writer.member("generation", admin.generation)
            writer.member("startedAt", admin.identity.started.iso8601)
        }
    }

    private func certificate() -> RequestOutcome {
        .respond(
            HTTPResponse(
                status: 200, headers: ["content-type": "application/x-pem-file"],
                body: admin.caPEM))
    }
}
