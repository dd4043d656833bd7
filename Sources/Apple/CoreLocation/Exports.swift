// As Apple's Core Location does.
@_exported public import Foundation
