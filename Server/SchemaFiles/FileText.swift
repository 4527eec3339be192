internal import Foundation
internal import LocalFiles
package import Yams

/// The text of a YAML or JSON file as a tree of nodes with places.
package struct FileText {
    /// The path of the file.
    package let file: String

    /// The content of the file.
    package let text: String

    /// The tree.
    package let root: Node

    /// The name of standard input in messages, which is also its path for readers.
    package static let standardInputName = "standard input"

    /// A file that is read once, for several readers.
    private struct SharedContent: Sendable {
        var file: String
        var bytes: [UInt8]
    }

    /// The file that is read once now, such as standard input; `nil` for none.
    @TaskLocal private static var sharedContent: SharedContent?

    /// A kind of text whose root is an object.
    package struct Kind: Sendable {
        let name: String
        let hint: String

        /// Creates a kind.
        ///
        /// - Parameters:
        ///   - name: the text in messages: `file` or `line`.
        ///   - hint: the keys that it has, such as `a profile is an object with 'name' and 'rate'`.
        package init(_ name: String = "file", hint: String) {
            (self.name, self.hint) = (name, hint)
        }
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - file: the path of the file.
    ///   - kind: the kind of the file, or `nil` if any content is accepted.
    /// - Throws: `FileFindings` if it cannot be read, is too large, is not YAML, or is not an object as its kind needs.
    package init(file: String, as kind: Kind? = nil) throws(FileFindings) {
        guard let text = String(validating: try Self.bytes(of: file), as: UTF8.self) else {
            throw Self.finding(file, "is not UTF-8")
        }
        try self.init(text, file: file, as: kind)
    }

    private static func bytes(of file: String) throws(FileFindings) -> [UInt8] {
        if let shared = sharedContent, shared.file == file { return shared.bytes }
        do throws(SystemError) {
            return try FileContents.bytes(at: file)
        } catch {
            throw finding(file, "cannot be read: \(error)")
        }
    }

    /// Runs `body`, whose readers of a file share its content: a pipe has it only once.
    ///
    /// - Parameters:
    ///   - file: the path of the file.
    ///   - body: the readers.
    /// - Returns: the result of `body`.
    /// - Throws: `FileFindings` if the file cannot be read, or the error of `body`.
    package static func readingOnce<Value>(_ file: String, _ body: () throws -> Value) throws -> Value {
        let content = SharedContent(file: file, bytes: try bytes(of: file))
        return try $sharedContent.withValue(content) { try body() }
    }

    /// Runs `body`, for which `input` is the content of standard input.
    package static func withStandardInput<Value>(_ input: [UInt8]?, _ body: () throws -> Value) rethrows -> Value {
        let content = input.map { SharedContent(file: standardInputName, bytes: $0) }
        return try $sharedContent.withValue(content) { try body() }
    }

    /// Returns the content of standard input if `file` is its name; `nil` for any other file.
    package static func standardInput(for file: String) -> [UInt8]? {
        guard file == standardInputName, let shared = sharedContent, shared.file == file else { return nil }
        return shared.bytes
    }

    /// Returns the path of a file that another file names, relative to its own folder.
    package static func path(_ path: String, relativeTo file: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        let folder = (file as NSString).deletingLastPathComponent
        return folder.isEmpty ? path : folder + "/" + path
    }

    /// Parses the content of a file.
    package init(_ text: String, file: String, as kind: Kind? = nil) throws(FileFindings) {
        var text = text
        // A byte order mark gives the encoding of the file; it is not part of the text.
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        if text.utf8.contains(UInt8(ascii: "\\")) { text = text.replacingSurrogatePairs }
        if let finding = YAMLLimits.finding(in: text, of: file) { throw FileFindings([finding]) }
        self.file = file
        self.text = text
        let composedRoot: Node
        do {
            composedRoot = try Self.compose(text) ?? Node("")
        } catch {
            throw Self.finding(error, file)
        }
        root = composedRoot.withoutMergeKeys
        guard let kind, root.mapping == nil else { return }
        let content = root.isWithoutValue ? "empty" : root.sequence == nil ? "a text" : "a list"
        throw Self.finding(
            file,
            "the \(kind.name) is \(content); \(kind.hint)",
            at: content == "empty" ? nil : root.mark
        )
    }

    /// Composes the tree, in which every scalar is a string: the schema says which ones are numbers or booleans.
    ///
    /// The resolver and the constructor of Yams would follow YAML 1.1, whose base 60 numbers may overflow.
    private static func compose(_ text: String) throws -> Node? {
        try Yams.compose(yaml: text, Resolver.basic, Constructor([:], [:], [:]))
    }

    private static func finding(_ file: String, _ message: String, at mark: Mark? = nil) -> FileFindings {
        let place = SourcePlace(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1)
        return FileFindings([FileFinding(place: place, message: message)])
    }

    private static func finding(_ error: any Error, _ file: String) -> FileFindings {
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, let text),
            .parser(let context, let problem, let mark, let text),
            .composer(let context, let problem, let mark, let text):
            let problem = YAMLProblem(problem, context, at: mark, in: text)
            return finding(file, "not YAML: \(problem.message)", at: problem.mark)
        case .reader(let problem, let offset?, _, let text):
            let lines = text.prefix(offset).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            let place = SourcePlace(file: file, line: lines.count, column: (lines.last?.count ?? 0) + 1)
            return FileFindings([FileFinding(place: place, message: "not YAML: \(problem)")])
        case .duplicatedKeysInMapping(let keys, let context):
            let key = keys.sorted().first ?? ""
            return finding(file, "the key '\(key)' is repeated", at: context.mark)
        default: return finding(file, "not YAML: \(error)")
        }
    }
}

extension Node {
    /// The node with each merge key, `<<`, replaced by what it refers to; the keys of the object itself win.
    fileprivate var withoutMergeKeys: Node {
        switch self {
        case .scalar, .alias: return self
        case .sequence(var elements):
            for index in elements.indices { elements[index] = elements[index].withoutMergeKeys }
            return .sequence(elements)
        case .mapping(let members):
            var pairs: [(Node, Node)] = []
            var mergedPairs: [(Node, Node)] = []
            for (key, value) in members {
                let value = value.withoutMergeKeys
                let sources = value.sequence.map(Array.init) ?? [value]
                if case .scalar(let scalar) = key, scalar.string == "<<", scalar.style == .plain,
                    sources.allSatisfy({ $0.mapping != nil })
                {
                    mergedPairs += sources.flatMap { $0.mapping.map(Array.init) ?? [] }.map { ($0.key, $0.value) }
                } else {
                    pairs.append((key, value))
                }
            }
            var names = Set(pairs.map(\.0))
            pairs += mergedPairs.filter { names.insert($0.0).inserted }
            return .mapping(Node.Mapping(pairs, members.tag, members.style, members.mark))
        }
    }

    /// Whether the node is a plain scalar without text, or `null`.
    package var isWithoutValue: Bool {
        guard case .scalar(let scalar) = self, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }
}
