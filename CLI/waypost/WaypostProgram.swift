import AdminCommands
import AgentProgram
import Foundation
import GatewayProgram

/// The one program, which chooses by the name by which it is started; the other names are links to it.
///
/// So Swift's runtime and Foundation exist once on the disk.
@main
enum WaypostProgram {
    static func main() async {
        switch CommandLine.arguments.first.map({ URL(filePath: $0).lastPathComponent }) {
        case GatewayProgram.name: await GatewayProgram.main()
        case AgentProgram.name: await AgentProgram.main()
        default:
            // If the reader leaves, the process must still stop what it started, and report that in its exit status.
            signal(SIGPIPE, SIG_IGN)
            await WaypostCommand.start()
        }
    }
}
