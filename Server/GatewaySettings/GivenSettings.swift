internal import Configuration

/// What a gateway was told, and where: a flag comes before the environment, the environment before a file.
struct GivenSettings {
    private let flags: [Setting: String]
    private let environment: [String: String]
    private let file: SettingsFile?
    private let reader: ConfigReader

    /// What is wrong before anything was read: names that are no settings, and a file that is none.
    let problems: [SettingProblem]

    /// Gathers the settings.
    ///
    /// - Parameters:
    ///   - flags: those of the command line, with their values.
    ///   - unknownFlags: what else was there.
    ///   - environment: all variables of the process.
    ///   - file: the path of the settings file, if there is one.
    init(flags: [Setting: String], unknownFlags: [String], environment: [String: String], file: String?) {
        let settingsFile = file.map(SettingsFile.init)
        // A variable without a value is one that somebody has not set.
        let environment = environment.filter { $0.key.hasPrefix(Setting.prefix) && !$0.value.isEmpty }
        let keys = flags.map { (AbsoluteConfigKey([$0.key.rawValue]), ConfigValue(.string($0.value), isSecret: false)) }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: Dictionary(keys) { $1 }),
            EnvironmentVariablesProvider(environmentVariables: environment)
                .prefixKeys(with: ConfigKey(["waypost", "gateway"])),
        ]
        if let settingsFile { providers.append(settingsFile.provider) }
        reader = ConfigReader(providers: providers)
        problems =
            Self.problems(of: unknownFlags) + Self.problems(of: environment) + (settingsFile?.problems ?? [])
        self.flags = flags
        self.environment = environment
        self.file = settingsFile
    }

    /// The value of a setting, from whoever comes first; `nil` where nobody says anything.
    subscript(setting: Setting) -> String? {
        reader.string(forKey: ConfigKey([setting.rawValue]))
    }

    /// Where the value of a setting stands.
    func place(of setting: Setting) -> String {
        if flags[setting] != nil { return setting.flag }
        if environment[setting.variable] != nil { return setting.variable }
        return file?.place(of: setting) ?? setting.flag
    }

    private static func problems(of unknownFlags: [String]) -> [SettingProblem] {
        var isBehindFlag = false
        return unknownFlags.compactMap { word in
            guard word.hasPrefix("-") else {
                // What stands behind an unknown flag is its value.
                defer { isBehindFlag = false }
                return isBehindFlag ? nil : SettingProblem(place: word, message: "it belongs to no flag")
            }
            isBehindFlag = !word.contains("=")
            let flag = String(word.prefix { $0 != "=" })
            return SettingProblem(
                place: flag,
                message: Setting.isUnknown(flag, among: Setting.allCases.map(\.flag) + ["--config"])
            )
        }
    }

    private static func problems(of environment: [String: String]) -> [SettingProblem] {
        let known = Setting.allCases.map(\.variable) + [GatewaySettings.fileVariable]
        return environment.keys.sorted().filter { !known.contains($0) && !isOfService($0) }.map { name in
            SettingProblem(place: name, message: Setting.isUnknown(name, among: known))
        }
    }

    /// Whether a variable is one that Kubernetes sets where a service is named like the gateway.
    private static func isOfService(_ name: String) -> Bool {
        ["SERVICE_HOST", "SERVICE_PORT", "PORT"].contains { part in
            name == Setting.prefix + part || name.hasPrefix(Setting.prefix + part + "_")
        }
    }
}
