internal import TextBasics

/// The sources of the settings: options override environment variables, and variables override the file.
struct SettingSources {
    private let flags: [Setting: String]
    private let environment: [String: String]
    private let file: SettingsFile?

    /// The problems found before any setting is read: unknown settings, and a settings file that cannot be used.
    let problems: [SettingProblem]

    /// Collects the settings from all sources.
    ///
    /// - Parameters:
    ///   - flags: the options of the command line, with their values.
    ///   - unknownFlags: the other arguments of the command line.
    ///   - environment: all environment variables of the process.
    ///   - file: the path of the settings file, if there is one.
    init(flags: [Setting: String], unknownFlags: [String], environment: [String: String], file: String?) {
        self.flags = flags
        // Empty variables count as not set.
        self.environment = environment.filter { $0.key.hasPrefix(Setting.prefix) && !$0.value.isEmpty }
        self.file = file.map(SettingsFile.init)
        problems =
            Self.problems(of: unknownFlags) + Self.problems(of: self.environment) + (self.file?.problems ?? [])
    }

    /// Returns the value of a setting from the source that takes precedence; `nil` if no source sets it.
    subscript(setting: Setting) -> String? {
        flags[setting] ?? environment[setting.variable] ?? file?.values[setting]
    }

    /// Whether a setting is an option of the command line.
    func isFlag(_ setting: Setting) -> Bool {
        flags[setting] != nil
    }

    /// Whether the file sets a setting.
    func isInFile(_ setting: Setting) -> Bool {
        flags[setting] == nil && environment[setting.variable] == nil && file?.values[setting] != nil
    }

    /// Returns the place where a setting is set.
    func place(of setting: Setting) -> String {
        if flags[setting] != nil { return setting.flag }
        if environment[setting.variable] != nil { return setting.variable }
        return file?.place(of: setting) ?? setting.flag
    }

    private static func problems(of unknownFlags: [String]) -> [SettingProblem] {
        var followsFlag = false
        return unknownFlags.compactMap { word in
            guard word.hasPrefix("-") else {
                // An argument after an unknown option is the value of that option.
                defer { followsFlag = false }
                return followsFlag ? nil : SettingProblem(place: word, message: "unexpected argument")
            }
            followsFlag = !word.contains("=")
            let flag = String(word.prefix { $0 != "=" })
            return SettingProblem(
                place: flag,
                message: Setting.unknownNameMessage(flag, among: Setting.allCases.map(\.flag) + ["--config"])
            )
        }
    }

    private static func problems(of environment: [String: String]) -> [SettingProblem] {
        let knownNames = Setting.allCases.map(\.variable) + [GatewaySettings.fileVariable]
        return environment.keys.sorted().filter { !knownNames.contains($0) && !isKubernetesVariable($0) }.map { name in
            SettingProblem(place: name, message: Setting.unknownNameMessage(name, among: knownNames))
        }
    }

    /// Returns whether Kubernetes sets a variable with this name for a service that is named like the gateway.
    private static func isKubernetesVariable(_ name: String) -> Bool {
        ["SERVICE_HOST", "SERVICE_PORT", "PORT"].contains { part in
            name == Setting.prefix + part || name.hasPrefix(Setting.prefix + part + "_")
        }
    }
}

extension Setting {
    /// Returns the message about a name that is not in `knownNames`.
    fileprivate static func unknownNameMessage(_ name: String, among knownNames: [String]) -> String {
        let suggestion = name.nearest(among: knownNames)
        return "no such setting; "
            + (suggestion.map { "did you mean '\($0)'?" } ?? "waypost-gateway --help lists all settings")
    }
}
