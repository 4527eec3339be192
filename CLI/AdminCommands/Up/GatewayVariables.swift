internal import LocalService

/// The environment variables of a gateway that are settings of a whole container.
enum GatewayVariables {
    private static let prefix = "WAYPOST_GATEWAY_"
    private static let switches: Set = ["trust-network", "strict", "test-tokens"]

    /// The options that a stack chooses itself.
    private static let options: Set = [
        "service", "courier", "provider-plaintext", "data", "ready-file", "config",
    ]

    /// Returns the arguments for the options that the variables set, by the names of the options.
    ///
    /// If the network is not trusted, this is not a container: the variables are for another gateway, and the result is
    /// empty.
    ///
    /// - Throws: `CommandFailure` if a switch is neither true nor false.
    static func ofContainer(_ environment: [String: String]) throws(CommandFailure) -> [String: [String]] {
        guard let trust = environment[prefix + "TRUST_NETWORK"], !trust.isEmpty,
            try argument("trust-network", trust) == ["--trust-network"]
        else { return [:] }
        var arguments: [String: [String]] = [:]
        for (variable, value) in environment where variable.hasPrefix(prefix) && !value.isEmpty {
            let name = variable.dropFirst(prefix.count).lowercased().replacing("_", with: "-")
            if !options.contains(name) { arguments[name] = try argument(name, value) }
        }
        return arguments
    }

    private static func argument(_ name: String, _ value: String) throws(CommandFailure) -> [String] {
        guard switches.contains(name) else { return ["--\(name)", value] }
        guard let isOn = Bool(setting: value) else {
            let variable = prefix + name.uppercased().replacing("-", with: "_")
            throw .unusable("\(variable): '\(value)' is not accepted; use 'true' or 'false'")
        }
        return [isOn ? "--\(name)" : "--no-\(name)"]
    }
}
