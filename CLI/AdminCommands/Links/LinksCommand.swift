internal import ArgumentParser
internal import UniversalLinks
internal import WaypostSchema

/// Asks universal links: `waypost links`.
struct LinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Ask which apps a URL may be offered to, and what is wrong with an association file.",
        subcommands: [LinksMatchCommand.self, LinksCheckCommand.self]
    )
}

/// Association files that commands are given.
enum AssociationInput {
    /// Returns the file at `path`, ready to be asked.
    static func matcher(
        _ path: String,
        language: String? = nil,
        region: String? = nil
    ) throws(CommandFailure) -> AssociationMatcher {
        let input = InputFile(path: path)
        do throws(AssociationFailure) {
            let file = try AssociationFile(try bytes(of: input))
            return AssociationMatcher(file, language: language, region: region)
        } catch {
            throw .unusable("\(input.name): \(error.message)")
        }
    }

    private static func bytes(of input: InputFile) throws(AssociationFailure) -> [UInt8] {
        do throws(CommandFailure) {
            return try input.readToEnd()
        } catch {
            throw AssociationFailure(code: .unreadable, message: "cannot be read")
        }
    }
}
