/// Apple's framework brings Foundation with it, and app code relies on that.
@_exported public import Foundation
