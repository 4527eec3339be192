internal import ArgumentParser
internal import Foundation
internal import JSONScanning
internal import WaypostSchema

/// The man page of a command, in the macros of man(7).
struct ManualPage {
    /// The names from that of the program to that of the command.
    let path: [String]

    /// The command, as the argument parser describes it.
    let command: DescribedCommand

    /// The synopsis that the command specifies; `nil` to make one from its arguments.
    let usage: String?

    /// The name of the file.
    var fileName: String {
        path.joined(separator: "-") + ".1"
    }

    /// Returns the pages of a program and of all its commands.
    ///
    /// - Throws: the error of the decoder, if the argument parser describes commands in another way.
    static func all(of program: any ParsableCommand.Type) throws -> [Self] {
        let help = try DocumentDecoder.decode(DescribedProgram.self, fromDeepJSON: Array(program._dumpHelp().utf8))
        return pages(of: program, help.command, path: [program.name])
    }

    /// Returns the page of another program.
    ///
    /// - Parameters:
    ///   - program: the name of the program.
    ///   - description: its output for `--experimental-dump-help`.
    /// - Returns: the page.
    /// - Throws: the error of the decoder, if the output is not such a description.
    static func page(of program: String, description: String) throws -> Self {
        let help = try DocumentDecoder.decode(DescribedProgram.self, fromDeepJSON: Array(description.utf8))
        return Self(path: [program], command: help.command, usage: "\(program) [<option> ...]")
    }

    private static func pages(of type: any ParsableCommand.Type, _ command: DescribedCommand, path: [String]) -> [Self]
    {
        let page = Self(path: path, command: command, usage: type.configuration.usage)
        let subpages = type.allSubcommands.flatMap { subtype -> [Self] in
            let subcommand = command.subcommands?.first { $0.commandName == subtype.name }
            return subcommand.map { pages(of: subtype, $0, path: path + [subtype.name]) } ?? []
        }
        return [page] + subpages
    }

    /// The contents of the file.
    var text: String {
        let name = path.joined(separator: "-")
        var lines = [
            ".TH \(Roff.word(name.uppercased())) 1 \"\" \(Roff.word("waypost \(ProgramVersion.current)")) \"Waypost\"",
            ".SH NAME", "\(Roff.text(name)) \\- \(Roff.text(command.abstract ?? ""))",
            ".SH SYNOPSIS", ".nf", Roff.text(synopsis), ".fi",
        ]
        if let discussion = command.discussion, !discussion.isEmpty {
            lines += [".SH DESCRIPTION"] + Roff.paragraphs(discussion)
        }
        lines += sections.flatMap { title, arguments in
            [".SH \(Roff.word(title.uppercased()))"] + arguments.flatMap(\.lines)
        }
        let commands = (command.subcommands ?? []).filter { $0.isShown && $0.commandName != "help" }
        if !commands.isEmpty {
            lines.append(".SH COMMANDS")
            lines += commands.flatMap {
                [".TP", ".B \(Roff.word("\(name)-\($0.commandName)(1)"))", Roff.text($0.abstract ?? "")]
            }
        }
        if path.count > 1 { lines += [".SH SEE ALSO", ".BR \(path.dropLast().joined(separator: "-")) (1)"] }
        return lines.joined(separator: "\n") + "\n"
    }

    private var synopsis: String {
        if let usage { return usage }
        let positionalArguments = arguments.filter { $0.kind == "positional" }.map { argument in
            let word = "<\(argument.valueName ?? "value")>" + (argument.isRepeating ? " ..." : "")
            return argument.isOptional ? "[\(word)]" : word
        }
        let placeholders = command.subcommands == nil ? ["[<options>]"] + positionalArguments : ["<command>"]
        return (path + placeholders).joined(separator: " ")
    }

    private var arguments: [DescribedArgument] {
        (command.arguments ?? []).filter(\.shouldDisplay)
    }

    /// The arguments by the titles of their sections, in order.
    private var sections: [(title: String, arguments: [DescribedArgument])] {
        var sections: [(title: String, arguments: [DescribedArgument])] = []
        for argument in arguments {
            let title = argument.sectionTitle ?? (argument.kind == "positional" ? "Arguments" : "Options")
            if let index = sections.firstIndex(where: { $0.title == title }) {
                sections[index].arguments.append(argument)
            } else {
                sections.append((title, [argument]))
            }
        }
        return sections
    }
}

/// The argument parser's description of a program (`--experimental-dump-help`), as far as it is needed here.
struct DescribedProgram: Decodable {
    let command: DescribedCommand
}

/// The description of a command.
struct DescribedCommand: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let arguments: [DescribedArgument]?
    let subcommands: [DescribedCommand]?
    let shouldDisplay: Bool?

    fileprivate var isShown: Bool {
        shouldDisplay ?? true
    }
}

/// The description of an argument.
struct DescribedArgument: Decodable {
    struct Name: Decodable {
        let kind: String
        let name: String

        /// The name with its hyphens.
        var text: String {
            kind == "long" ? "--\(name)" : "-\(name)"
        }
    }

    let kind: String
    let names: [Name]?
    let valueName: String?
    let abstract: String?
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool
    let sectionTitle: String?

    /// The argument and its help.
    fileprivate var lines: [String] {
        let value = "<\(valueName ?? "value")>"
        let names = (names ?? []).map(\.text).joined(separator: ", ")
        let term =
            switch kind {
            case "positional": value
            case "option": "\(names) \(value)"
            default: names
            }
        return [".TP", ".B \(Roff.word(term))", Roff.text(abstract ?? "")]
    }
}

/// Formats text for man pages.
enum Roff {
    /// Returns a text with the special characters of man pages escaped.
    static func text(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let escaped = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&\(escaped)" : escaped
        }.joined(separator: "\n")
    }

    /// Returns a text as one argument of a macro.
    static func word(_ text: String) -> String {
        "\"\(self.text(text).replacing("\"", with: "\\(dq"))\""
    }

    /// Returns the lines of paragraphs, with an empty line between two of them; an indented paragraph keeps its lines.
    static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        for part in text.split(separator: "\n\n") {
            let isExample = part.hasPrefix("  ")
            if !lines.isEmpty { lines.append(".PP") }
            lines += (isExample ? [".nf"] : []) + [self.text(String(part))] + (isExample ? [".fi"] : [])
        }
        return lines
    }
}
