/// Makes the module build until its first type is there.
enum Placeholder {}
