internal import Configuration
internal import Foundation
internal import Spelling
internal import SystemPackage
internal import Yams

/// A file of settings: YAML, each name with its value.
struct SettingsFile {
    /// What looks the settings up; `nil` where the file cannot be used.
    let provider: FileProvider<YAMLSnapshot>?

    /// What is wrong with the file.
    let problems: [SettingProblem]

    private let path: String
    private let lines: [Setting: Int]

    /// Reads a file; what is wrong with it is in `problems`.
    init(path: String) async {
        self.path = path
        var listing = Listing(path: path)
        if let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8) {
            listing.read(text)
        } else {
            listing.problems.append(SettingProblem(place: path, message: "there is no text to be read there"))
        }
        var provider: FileProvider<YAMLSnapshot>?
        if !listing.lines.isEmpty {
            do {
                provider = try await FileProvider(filePath: FilePath(path))
            } catch {
                // What it cannot read is most likely told already, and by its line.
                if listing.problems.isEmpty {
                    listing.problems.append(SettingProblem(place: path, message: "\(error)"))
                }
            }
        }
        self.provider = provider
        problems = listing.problems
        lines = listing.lines
    }

    /// Where a setting stands in it, if it does.
    func place(of setting: Setting) -> String? {
        lines[setting].map { "\(path), line \($0)" }
    }
}

/// What stands in a file where.
private struct Listing {
    let path: String
    var lines: [Setting: Int] = [:]
    var problems: [SettingProblem] = []

    init(path: String) {
        self.path = path
    }

    mutating func read(_ text: String) {
        do {
            // A file without anything in it says nothing.
            guard let root = try Yams.compose(yaml: text), root.null == nil else { return }
            guard let mapping = root.mapping else {
                return note("it has to be names with their values, like 'store: memory'", root.mark)
            }
            for (key, value) in mapping { read(key, value) }
        } catch {
            problems.append(SettingProblem(place: path, message: "not YAML: \(error)"))
        }
    }

    private mutating func read(_ key: Node, _ value: Node) {
        let name = key.string ?? ""
        guard let setting = Setting(rawValue: name) else {
            return note("'\(name)': \(Setting.isUnknown(name, among: \.rawValue))", key.mark)
        }
        guard value.scalar != nil, value.null == nil else {
            return note("'\(name)' takes one value", value.mark ?? key.mark)
        }
        lines[setting] = key.mark?.line ?? 1
    }

    private mutating func note(_ message: String, _ mark: Mark?) {
        problems.append(SettingProblem(place: mark.map { "\(path), line \($0.line)" } ?? path, message: message))
    }
}

extension Setting {
    /// What is said of a name that is none.
    static func isUnknown(_ name: String, among spelling: (Setting) -> String) -> String {
        let meant = allCases.map(spelling).first { $0.isNearly(name) }
        return "no such setting; " + (meant.map { "did you mean '\($0)'?" } ?? "waypost-gateway --help lists them all")
    }
}
