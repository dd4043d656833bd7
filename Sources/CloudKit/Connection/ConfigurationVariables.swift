/// The names of the variables that a process is configured by.
enum ConfigurationVariables {
    static let url = "CLOUDKIT_EMULATOR_URL"
    static let authority = "CLOUDKIT_EMULATOR_CA"
    static let apiToken = "CLOUDKIT_EMULATOR_API_TOKEN"
    static let webToken = "CLOUDKIT_EMULATOR_WEB_AUTH_TOKEN"
    /// A container list file.
    static let list = "CLOUDKIT_CONTAINERS"

    static let advice =
        "run the program with \"cksweep mock exec -- PROGRAM\"; or set \(url), \(authority), "
        + "\(apiToken) and \(webToken); or name a container list in \(list); or call "
        + "CloudKitConfiguration.bootstrap(_:)"
}
