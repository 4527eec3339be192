/// The reason why a setting cannot be used.
package struct SettingProblem: Error, Sendable, Equatable {
    /// The place of the setting: an option, an environment variable, or a file with its line.
    package var place: String

    /// A description of what is wrong and what is accepted.
    package var message: String

    /// Whether the setting is in a file.
    package var isInFile = false
}

extension SettingProblem: CustomStringConvertible {
    /// The problem in one line.
    package var description: String {
        "\(place): \(message)"
    }
}

/// All problems with the settings of a gateway.
package struct SettingProblems: Error, Sendable, Equatable {
    /// The problems in the order in which they were found: those of names and of the file first, then those of values.
    package var problems: [SettingProblem]

    /// Whether all of them are in the settings file.
    package var areInFile: Bool {
        problems.allSatisfy(\.isInFile)
    }
}

extension SettingProblems: CustomStringConvertible {
    /// The problems, one per line.
    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
