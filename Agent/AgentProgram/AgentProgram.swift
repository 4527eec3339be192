internal import ArgumentParser

/// The program `waypost-agent`.
package enum AgentProgram {
    /// The name by which the program is started.
    package static let name = "waypost-agent"

    /// Runs the program with arguments.
    package static func main(_ arguments: [String]) async {
        await AgentCommand.main(arguments)
    }
}
