// As Apple's Uniform Type Identifiers does.
@_exported public import Foundation
