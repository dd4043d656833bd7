// As Apple's Core Spotlight brings the kinds of content; the activities come with it.
@_exported public import UniformTypeIdentifiers
@_exported public import UserActivity
