internal import ArgumentParser

/// The program `waypost-agent`.
package enum AgentProgram {
    /// The name by which the program is started.
    package static let name = "waypost-agent"

    /// Runs the program with the arguments of the process.
    package static func main() async {
        await AgentCommand.main()
    }
}
