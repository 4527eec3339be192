internal import Foundation
internal import TextBasics
internal import Yams

/// A settings file: YAML, each name with its value.
///
/// The file is read only once, so it may be a pipe.
struct SettingsFile {
    /// The values, as text.
    let values: [Setting: String]

    /// The problems with the file.
    let problems: [SettingProblem]

    private let path: String
    private let lines: [Setting: Int]

    /// Reads a file; errors are reported in `problems`.
    init(path: String) {
        self.path = path
        var listing = Listing(path: path)
        if let data = try? FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() ?? Data(),
            let text = String(data: data, encoding: .utf8)
        {
            listing.read(text)
        } else {
            listing.problems.append(SettingProblem(place: path, message: "cannot be read as UTF-8 text"))
        }
        values = listing.values
        problems = listing.problems
        lines = listing.lines
    }

    /// Returns the line of a setting in the file; `nil` if the file does not contain it.
    func place(of setting: Setting) -> String? {
        lines[setting].map { "\(path), line \($0)" }
    }
}

/// The settings in a file, with their lines.
private struct Listing {
    let path: String
    var lines: [Setting: Int] = [:]
    var values: [Setting: String] = [:]
    var problems: [SettingProblem] = []

    init(path: String) {
        self.path = path
    }

    mutating func read(_ text: String) {
        do {
            // An empty file sets nothing.
            guard let root = try Yams.compose(yaml: text), root.null == nil else { return }
            guard let mapping = root.mapping else {
                return note("expected names with values, such as 'store: memory'", root.mark)
            }
            for (key, value) in mapping { read(key, value) }
        } catch {
            problems.append(SettingProblem(place: path, message: "not YAML: \(error)"))
        }
    }

    private mutating func read(_ key: Node, _ value: Node) {
        let name = key.string ?? ""
        guard let setting = Setting(rawValue: name) else {
            return note("'\(name)': \(Setting.isUnknown(name, among: Setting.allCases.map(\.rawValue)))", key.mark)
        }
        guard let scalar = value.scalar, value.null == nil else {
            return note("'\(name)' takes one value", value.mark ?? key.mark)
        }
        values[setting] = scalar.string
        lines[setting] = key.mark?.line ?? 1
    }

    private mutating func note(_ message: String, _ mark: Mark?) {
        problems.append(SettingProblem(place: mark.map { "\(path), line \($0.line)" } ?? path, message: message))
    }
}

extension Setting {
    /// Returns the message about a name that is not in `known`.
    static func isUnknown(_ name: String, among known: [String]) -> String {
        let suggestion = known.first { $0.isNearly(name) }
        return "no such setting; "
            + (suggestion.map { "did you mean '\($0)'?" } ?? "waypost-gateway --help lists all settings")
    }
}
