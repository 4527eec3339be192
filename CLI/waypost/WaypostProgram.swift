import AdminCommands
import ArgumentParser
import Foundation

@main
enum WaypostProgram {
    static func main() async {
        // If the reader leaves, the process must still stop what it started, and report that in its exit status.
        signal(SIGPIPE, SIG_IGN)
        await WaypostCommand.start()
    }
}
