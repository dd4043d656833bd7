/// Something in the text of a request that no client should send.
package enum RequestRemark: Sendable, Hashable {
    /// A key that the operation does not know, and the nearest that it does.
    case unknownKey(String, nearest: String?)
    /// A path that leads to no operation, and the nearest that does.
    case unknownEndpoint(String, nearest: String?)
    /// A token that is the empty string, under a key.
    case emptyToken(String)
    /// More items than a request may have.
    case tooManyItems(String, count: Int, max: Int)
}
