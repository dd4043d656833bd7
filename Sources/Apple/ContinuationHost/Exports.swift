// An app that imports UIKit on Apple's systems has these as well.
@_exported public import UserActivity
