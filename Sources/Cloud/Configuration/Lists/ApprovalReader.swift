import Basics
import JSON

/// Reads `approvals` and `approvers`: how many have to sign a plan, and who may.
struct ApprovalReader {
    /// What stands before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410).
    private static let keyPrefix: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    let top: ConfigurationObject

    func rule() throws(ConfigurationError) -> ApprovalRule {
        let most = ApprovalRule.approversMax
        guard let count = try top.number("approvals", in: 0...most) else {
            guard top.value["approvers"] == nil else {
                throw top.error(
                    "\"approvers\" needs \"approvals\", the number of signatures required",
                    at: top.value["approvers"])
            }
            return ApprovalRule()
        }
        let elements = try top.list("approvers") ?? []
        guard elements.count <= most else {
            throw top.error(
                "\"approvers\" has more than \(most) elements", at: top.value["approvers"])
        }
        var approvers: [ApprovalRule.Approver] = []
        for element in elements { approvers.append(try approver(element, among: approvers)) }
        guard count <= approvers.count else {
            throw top.error(
                "\(count) approvals are required, but \"approvers\" names only \(approvers.count)",
                at: top.value["approvals"])
        }
        return ApprovalRule(count: count, approvers: approvers)
    }

    private func approver(
        _ element: JSONValue, among others: [ApprovalRule.Approver]
    ) throws(ConfigurationError) -> ApprovalRule.Approver {
        let object = try ConfigurationObject(
            element, in: top.file, name: "an approver", keys: ["name", "key"])
        let name = try object.text(object.required("name"), "name")
        let value = try object.required("key")
        let bytes = Base64.decode(try object.text(value, "key")) ?? []
        guard bytes.count == Self.keyPrefix.count + 32, bytes.starts(with: Self.keyPrefix) else {
            throw object.error(
                "\"key\" must be an Ed25519 public key: the line between BEGIN and END of its "
                    + "PEM file", at: value)
        }
        let key = Hexadecimal.encode(Array(bytes.suffix(32)))
        // One person with two keys, or two names for one key, would be two people.
        guard !others.contains(where: { $0.name == name || $0.key == key }) else {
            throw object.error("the approver is repeated: each needs their own name and key")
        }
        return ApprovalRule.Approver(name: name, key: key)
    }
}
