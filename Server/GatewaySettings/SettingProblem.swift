/// Why a setting cannot be used.
package struct SettingProblem: Error, Sendable, Equatable {
    /// Where it stands: a flag, a variable, or a file with its line.
    package var place: String

    /// What is wrong, and what would be accepted.
    package var message: String
}

extension SettingProblem: CustomStringConvertible {
    /// The problem as a line.
    package var description: String {
        "\(place): \(message)"
    }
}

/// Everything that is wrong with the settings of a gateway.
package struct SettingProblems: Error, Sendable, Equatable {
    /// The problems: flags first, then the environment, then the file.
    package var problems: [SettingProblem]
}

extension SettingProblems: CustomStringConvertible {
    /// The problems, a line each.
    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
