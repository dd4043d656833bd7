// As Apple's Intents brings Foundation and Core Location along, so does this; the activities come
// with it.
@_exported public import CoreLocation
@_exported public import Foundation
@_exported public import UserActivity
