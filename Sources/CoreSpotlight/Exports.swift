@_exported public import UserActivity
