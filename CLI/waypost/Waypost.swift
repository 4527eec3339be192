import AdminCommands
import ArgumentParser
import Foundation

@main
enum Waypost {
    static func main() async {
        // Who listens may leave; what was started is stopped all the same, and the exit status says it.
        signal(SIGPIPE, SIG_IGN)
        await WaypostCommand.main()
    }
}
