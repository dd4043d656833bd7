/// How many people have to sign a plan before it is carried out, and who may.
///
/// The operator's own yes is asked for as well: these come on top of it.
package struct ApprovalRule: Sendable, Hashable {
    /// Somebody who may sign.
    package struct Approver: Sendable, Hashable {
        /// For people.
        package let name: String
        /// The 32 bytes of their Ed25519 public key, in hexadecimal.
        package let key: String

        package init(name: String, key: String) {
            self.name = name
            self.key = key
        }
    }

    /// The most approvers that a list names.
    package static let approversMax = 16

    /// 0: nobody has to sign.
    package var count: Int
    /// Each with another name and another key.
    package var approvers: [Approver]

    package init(count: Int = 0, approvers: [Approver] = []) {
        self.count = count
        self.approvers = approvers
    }
}
