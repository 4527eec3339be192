internal import ArgumentParser

/// Draws attribution views: `waypost attribution`.
struct AttributionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attribution",
        abstract: "Draw who shared a link, as the device does for an app.",
        subcommands: [AttributionRenderCommand.self]
    )
}

/// Draws shelves: `waypost shelf`.
struct ShelfCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shelf",
        abstract: "Draw the links from Messages that an app has.",
        subcommands: [ShelfRenderCommand.self]
    )
}
