import Basics
import MockService
import MockStore

/// What a namespace begins with, where the server itself begins with its configuration alone.
struct NamespaceStart {
    let name: NamespaceName
    let image: StoreImage
    /// Of faults, UUIDs and names.
    let seed: UInt64
    /// No other namespace derives tokens from it.
    let key: CredentialKey
    let adminToken: AdminToken

    /// - Parameter home: The server's own namespace, which all seeds and keys come from.
    init(_ name: NamespaceName, _ image: StoreImage, of home: NamespaceHost) {
        self.name = name
        self.image = image
        seed = home.seed ^ FNV1a.hash("namespace " + name.description)
        adminToken = home.adminToken
        key = home.credentialKey.derived(forNamespace: name.description)
    }
}
