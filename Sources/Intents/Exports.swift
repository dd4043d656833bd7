// As Apple's Intents brings Foundation along, so does this; the activities come with it.
@_exported public import UserActivity
