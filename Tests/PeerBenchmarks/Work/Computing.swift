import Foundation

/// The comparisons of the core: predicates and scenes with GNUstep's evaluator, and a device with many messages.
struct Computing {
    let workspace: Workspace

    /// The program that the Makefile compiles if GNUstep is installed.
    private static let peer = "gnustep-predicates"

    private static let names = [
        "evaluate: ==, true", "evaluate: 50-way OR of ==, none true", "evaluate: BEGINSWITH", "evaluate: CONTAINS[cd]",
        "evaluate: LIKE, one *", "select among 32: 20 tabs", "select among 32: 20 prefixes, none true",
    ]

    func all() -> [Comparison] {
        [predicates(), messages()]
    }

    private func predicates() -> Comparison {
        Comparison(
            "predicates",
            Self.names.map { Quantity(name: $0, unit: .nanoseconds) },
            [
                Subject("Waypost") { try figures(of: Self.names, "core-benchmarks", ["--json"] + Self.names) },
                Subject("GNUstep") { try figures(of: Self.names, Self.peer, [], input: try cases()) },
            ]
        )
    }

    /// A message to a device with many messages, beside one to a device with few.
    private func messages() -> Comparison {
        Comparison(
            "message to shelf, 1,000,000 messages",
            [Quantity(unit: .nanoseconds)],
            [1_000_000, 10_000].map { count in
                let name = "message: \(count) before it"
                return Subject("\(count) messages") { try figures(of: [name], "core-benchmarks", ["--json", name]) }
            }
        )
    }

    private func cases() throws -> String {
        try run("core-benchmarks", ["--cases"] + Self.names, input: "")
    }

    /// Runs a program that prints figures, and returns those of the names.
    private func figures(
        of names: [String],
        _ program: String,
        _ arguments: [String],
        input: String = ""
    ) throws -> Sample {
        let lines = try run(program, arguments, input: input).split(separator: "\n")
        let figures = try lines.map { try JSONDecoder().decode(Figure.self, from: Data($0.utf8)) }
        return Sample(
            try names.map { name in
                let figure = figures.first { $0.name == name }
                guard let nanoseconds = figure?.nanoseconds else {
                    throw Failure("\(program): \(name): \(figure?.error ?? "no result")")
                }
                return nanoseconds
            }
        )
    }

    private struct Figure: Decodable {
        let name: String
        let nanoseconds: Double?
        let error: String?
    }

    private func run(_ program: String, _ arguments: [String], input: String) throws -> String {
        let folder = try workspace.makeFolder(program)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(input.utf8).write(to: folder.appending(path: "input"))
        let child = try Child(program, arguments, in: folder)
        try child.finish()
        return child.output
    }
}
