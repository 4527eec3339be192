import GatewaySettings

extension FuzzTarget {
    /// Lines of variables and values.
    static let settingVariables = FuzzTarget(
        name: "setting-variables",
        summary: "settings of a gateway in its environment; the options accept and refuse the same values"
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        var (variables, unknownVariables): ([String: String], [String: String]) = ([:], [:])
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, parts[0] != "CONFIG" else { continue }
            let name = Setting.prefix + parts[0]
            if settings[name] == nil { unknownVariables[name] = parts[1] } else { variables[name] = parts[1] }
        }
        let all = problems(flags: [:], variables.merging(unknownVariables) { $1 })
        for problem in all {
            promise(!problem.message.isEmpty && !problem.isInFile, "a problem has a message", found: problem)
        }
        checkOptions(variables)
    }

    /// The settings by their variables.
    private static let settings = Dictionary(uniqueKeysWithValues: Setting.allCases.map { ($0.variable, $0) })

    private static func checkOptions(_ variables: [String: String]) {
        // Only an option shows a password to others.
        let variables = variables.filter { !$0.value.isEmpty && !$0.value.hasPrefix("postgres") }
        let flags = variables.reduce(into: [Setting: String]()) { flags, variable in
            if let setting = settings[variable.key] { flags[setting] = variable.value }
        }
        let messages = [problems(flags: [:], variables), problems(flags: flags, [:])].map { $0.map(\.message) }
        promise(messages[0] == messages[1], "options and variables have the same problems", found: messages)
    }

    private static func problems(flags: [Setting: String], _ environment: [String: String]) -> [SettingProblem] {
        do throws(SettingProblems) {
            _ = try GatewaySettings(flags: flags, environment: environment)
            return []
        } catch {
            promise(!error.problems.isEmpty, "settings that are refused have a problem")
            return error.problems
        }
    }
}
