import ArgumentParser
import Testing

/// Expects that a command refuses arguments with a message that contains `message`.
func expectRefusal<Command: ParsableCommand>(
    of command: Command.Type,
    _ arguments: [String],
    _ message: String
) throws {
    try expect(try #require(throws: (any Error).self) { try command.parse(arguments) }, from: command, message)
}

/// Expects that a command whose completions call a server refuses arguments with a message that contains `message`.
func expectAsyncRefusal<Command: AsyncParsableCommand>(
    of command: Command.Type,
    _ arguments: [String],
    _ message: String
) async throws {
    let error = try await #require(throws: (any Error).self) { try await command.asyncParse(arguments) }
    try expect(error, from: command, message)
}

private func expect(_ error: any Error, from command: any ParsableCommand.Type, _ message: String) throws {
    #expect(command.exitCode(for: error) == .validationFailure)
    #expect(command.fullMessage(for: error).contains(message), "\(command.fullMessage(for: error))")
}

/// A command with a group of options, whose completions may call a server.
private struct OptionsCommand<Options: ParsableArguments>: AsyncParsableCommand {
    @OptionGroup var options: Options
}

extension ParsableArguments {
    /// Parses a group of options whose completions call a server.
    static func parseAsync(_ arguments: [String]) async throws -> Self {
        try await OptionsCommand<Self>.asyncParse(arguments).options
    }
}
