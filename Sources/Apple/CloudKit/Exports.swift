// A record holds places, and Apple's framework brings their types.
@_exported public import CoreLocation
/// Apple's framework brings Foundation with it, and app code relies on that.
@_exported public import Foundation
