internal import Configuration
internal import Foundation
internal import Spelling
internal import Yams

/// A file of settings: YAML, each name with its value.
///
/// It is read once, so that it may be a pipe.
struct SettingsFile {
    /// What looks the settings up.
    let provider: any ConfigProvider

    /// What is wrong with the file.
    let problems: [SettingProblem]

    private let path: String
    private let lines: [Setting: Int]

    /// Reads a file; what is wrong with it is in `problems`.
    init(path: String) {
        self.path = path
        var listing = Listing(path: path)
        if let data = try? FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() ?? Data(),
            let text = String(data: data, encoding: .utf8)
        {
            listing.read(text)
        } else {
            listing.problems.append(SettingProblem(place: path, message: "there is no text to be read there"))
        }
        let values = listing.values.map { setting, text in
            (AbsoluteConfigKey([setting.rawValue]), ConfigValue(.string(text), isSecret: false))
        }
        provider = InMemoryProvider(name: path, values: Dictionary(uniqueKeysWithValues: values))
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
    var values: [Setting: String] = [:]
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
    /// What is said of a name that is none of those that are known.
    static func isUnknown(_ name: String, among known: [String]) -> String {
        let meant = known.first { $0.isNearly(name) }
        return "no such setting; " + (meant.map { "did you mean '\($0)'?" } ?? "waypost-gateway --help lists them all")
    }
}
