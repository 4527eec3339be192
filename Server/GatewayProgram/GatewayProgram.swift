internal import ArgumentParser

/// The program `waypost-gateway`.
package enum GatewayProgram {
    /// The name by which the program is started.
    package static let name = "waypost-gateway"

    /// Runs the program with the arguments of the process.
    package static func main() async {
        await GatewayCommand.main()
    }
}
