internal import ArgumentParser
internal import Foundation
internal import LocalProcesses
internal import SchemaFiles

/// The `waypost up` command, which runs a local stack.
struct UpCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Run a gateway, devices and apps as one local stack, until Ctrl-C.",
        discussion: """
            The stack file (default: waypost.yaml, if it exists) is in YAML or JSON:

              data: waypost-stack            # the folder for data, logs and ready files
              gateway: {clock: manual}       # options of waypost-gateway
              devices: [devices/ipad.yaml]   # device files, or folders of them
              agent: {clock: gateway}        # options of waypost-agent
              apps: [{file: apps/tv.yaml, device: iPad}]

            Without a stack file, it runs the device files in the folder 'devices' or, if there is none, Clown Town: the \
            devices and apps of the demo. The gateway is at 127.0.0.1:7330, and the agent at 127.0.0.1:7340. Each process \
            ends with this one, even if that is killed. Exits with 1 if a process ends by itself.

            In a container, --trust-network lets others reach the gateway. If WAYPOST_GATEWAY_TRUST_NETWORK says so, the \
            other variables of the gateway hold too, unless the stack file has their option. WAYPOST_UP_DATA is --data. \
            The APIs of the agent stay on loopback.
            """
    )

    @Argument(help: "The stack file.", completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "The folder for data, logs and Clown Town (default: that of the stack file, or waypost-stack).",
            valueName: "folder"
        ),
        completion: .directory
    )
    var data: String?

    @Flag(help: "Let everyone who can reach this machine call the gateway: for the network of a container.")
    var trustNetwork = false

    @Flag(help: "Use free ports, so that several stacks can run.")
    var freePorts = false

    @Option(
        help: ArgumentHelp("Write the URLs of the gateway and the agent to this file once all run.", valueName: "file")
    )
    var readyFile: String?

    @Flag(name: .shortAndLong, help: "Print nothing but errors.")
    var quiet = false

    func perform() async throws {
        let stack = try stack()
        let run = StackRun(stack: stack, readyFile: readyFile, isQuiet: quiet)
        do {
            try await InterruptibleRun.run { try await run.run() }
        } catch is CancellationError {
            // The user ended the command with Ctrl-C.
        } catch let error as ProcessFailure where error.description.contains("in use") && !freePorts {
            throw CommandFailure.unusable("\(error); 'waypost up --free-ports' uses free ones")
        }
    }

    private func stack() throws -> Stack {
        let environment = ProcessInfo.processInfo.environment
        let options = Stack.Options(
            folder: data ?? environment["WAYPOST_UP_DATA"].flatMap { $0.isEmpty ? nil : $0 },
            usesFreePorts: freePorts,
            trustsNetwork: trustNetwork,
            gatewayVariables: try GatewayVariables.ofContainer(environment)
        )
        let files = FileManager.default
        if let file = file ?? (files.fileExists(atPath: Stack.defaultFile) ? Stack.defaultFile : nil) {
            do {
                return try Stack(from: file, options)
            } catch let error as FileFindings {
                throw CheckedKind.stack.explaining(error, of: file)
            }
        }
        return files.fileExists(atPath: Stack.defaultDevices)
            ? try Stack(ofDevicesIn: Stack.defaultDevices, options) : try Stack(ofClownTown: options)
    }
}
