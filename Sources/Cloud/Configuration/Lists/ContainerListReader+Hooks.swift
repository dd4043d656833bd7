import JSON

// What is told how a run ended
extension ContainerListReader {
    func hooks(_ top: ConfigurationObject) throws(ConfigurationError) -> [ContainerList.Hook] {
        var hooks: [ContainerList.Hook] = []
        for element in try top.list("hooks") ?? [] {
            guard hooks.count < ContainerList.hooksMax else {
                throw top.error("more than \(ContainerList.hooksMax) hooks", at: element)
            }
            let object = try ConfigurationObject(
                element, in: file, name: "a hook",
                keys: ["after", "command", "webhook", "ca", "secret"])
            let after = try object.choice(
                object.required("after"), "after",
                among: ContainerList.Hook.Moment.allCases.map(\.rawValue))
            hooks.append(
                ContainerList.Hook(
                    after: ContainerList.Hook.Moment(rawValue: after) ?? .any,
                    action: try action(object)))
        }
        return hooks
    }

    private func action(
        _ object: ConfigurationObject
    ) throws(ConfigurationError) -> ContainerList.Hook.Action {
        guard (object.value["command"] == nil) != (object.value["webhook"] == nil) else {
            throw object.error("a hook needs either a \"command\" or a \"webhook\"")
        }
        guard let address = object.value["webhook"] else {
            for key in ["ca", "secret"] {
                guard let value = object.value[key] else { continue }
                throw object.error("\"\(key)\" needs a \"webhook\"", at: value)
            }
            return .command(try command(object))
        }
        let url = try setting(object, address, "webhook")
        if case .literal(let text) = url.value, !text.hasPrefix("https://") {
            throw object.error("\"webhook\" must begin with https://", at: address)
        }
        var authority: ContainerList.Setting?
        if let value = object.value["ca"] { authority = try setting(object, value, "ca") }
        guard let secret = try secret(object, "secret") else {
            throw object.error(
                "a \"webhook\" needs a \"secret\", which signs its requests")
        }
        guard secret.source != .login else {
            throw object.error(
                "\"secret\" must be env:NAME or file:PATH", at: object.value["secret"])
        }
        return .webhook(url: url, authority: authority, secret: secret)
    }

    private func command(_ object: ConfigurationObject) throws(ConfigurationError) -> [String] {
        var words: [String] = []
        for element in try object.list("command") ?? [] {
            words.append(try object.text(element, "command"))
        }
        guard let program = words.first, program.hasPrefix("/"), words.count <= 64 else {
            throw object.error(
                "\"command\" must be an absolute path and at most 63 arguments; it is run "
                    + "without a shell",
                at: object.value["command"])
        }
        return words
    }
}
