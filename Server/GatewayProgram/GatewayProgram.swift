internal import ArgumentParser

/// The program `waypost-gateway`.
package enum GatewayProgram {
    /// The name by which the program is started.
    package static let name = "waypost-gateway"

    /// Runs the program with arguments.
    package static func main(_ arguments: [String]) async {
        await GatewayCommand.main(arguments)
    }
}
