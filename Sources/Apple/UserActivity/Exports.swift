// What an app has with UIKit: Foundation, the kinds of content, and places.
@_exported public import CoreLocation
@_exported public import Foundation
@_exported public import UniformTypeIdentifiers
