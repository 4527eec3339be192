import AdminCommands
import AgentProgram
import Foundation
import GatewayProgram

/// The one program, which chooses by the name by which it is started; the other names are links to it.
///
/// So Swift's runtime and Foundation exist once on the disk. A container, which has one name for all, chooses by the
/// first argument: `waypost gateway` is `waypost-gateway`, and `waypost agent` is `waypost-agent`.
/// `waypost help` has the help of both.
@main
enum WaypostProgram {
    static func main() async {
        let words = CommandLine.arguments
        let name = words.first?.split(separator: "/").last.map(String.init)
        let helpSubject = words.count == 3 && words[1] == "help" ? words[2] : nil
        switch (name, words.dropFirst().first) {
        case (GatewayProgram.name, _): await GatewayProgram.main(Array(words.dropFirst()))
        case (AgentProgram.name, _): await AgentProgram.main(Array(words.dropFirst()))
        case _ where ["gateway", GatewayProgram.name].contains(helpSubject): await GatewayProgram.main(["--help"])
        case _ where ["agent", AgentProgram.name].contains(helpSubject): await AgentProgram.main(["--help"])
        case (_, "gateway"): await GatewayProgram.main(Array(words.dropFirst(2)))
        case (_, "agent"): await AgentProgram.main(Array(words.dropFirst(2)))
        default:
            // If the reader leaves, the process must still stop what it started, and report that in its exit status.
            signal(SIGPIPE, SIG_IGN)
            await WaypostCommand.start()
        }
    }
}
