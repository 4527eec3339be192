import AdminCommands
import ArgumentParser

@main
enum Waypost {
    static func main() async {
        await WaypostCommand.main()
    }
}
