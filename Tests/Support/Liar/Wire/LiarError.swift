/// Why the liar or the world around it could not be set up.
package struct LiarError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
