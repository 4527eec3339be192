import ArgumentParser
import Testing

/// Expects that a command refuses arguments with a message that contains `message`.
func expectRefusal<Command: ParsableCommand>(
    of command: Command.Type,
    _ arguments: [String],
    _ message: String
) throws {
    let error = try #require(throws: (any Error).self) { try command.parse(arguments) }
    #expect(command.exitCode(for: error) == .validationFailure)
    #expect(command.fullMessage(for: error).contains(message), "\(command.fullMessage(for: error))")
}
