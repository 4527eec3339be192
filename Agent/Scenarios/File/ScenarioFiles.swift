internal import Foundation
internal import LocalFiles
package import SchemaFiles
internal import Yams

/// The scenario files among files and folders.
package enum ScenarioFiles {
    /// Returns the scenario files at a path: the file itself, or those in a folder and its subfolders, sorted.
    ///
    /// In a folder, a file counts if its name ends in `.yaml`, `.yml` or `.json`, and it has `name`, and `steps` or
    /// `include`: device files and included files do not.
    ///
    /// - Throws: `FileFindings` if a folder has no scenario, or one of its files is not YAML.
    package static func files(at path: String) throws(FileFindings) -> [String] {
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return [path]
        }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        var files: [String] = []
        for name in names.sorted() where [".yaml", ".yml", ".json"].contains(where: name.hasSuffix) {
            let file = "\(folder)/\(name)"
            guard !isHidden(name), mayBeAScenario(file) else { continue }
            let root = try FileText(file: file).root
            guard root.mapping != nil, root["name"] != nil else { continue }
            if root["steps"] != nil || root["include"] != nil { files.append(file) }
        }
        guard files.isEmpty else { return files }
        let place = SourcePlace(file: path, line: 1, column: 1)
        throw FileFindings([FileFinding(place: place, message: "the folder has no scenario")])
    }

    /// Whether a file is in a folder of a tool.
    private static func isHidden(_ path: String) -> Bool {
        path.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "node_modules" }
    }

    /// Whether a file has one of the keys that every scenario has; others need not be YAML.
    private static func mayBeAScenario(_ file: String) -> Bool {
        // A named pipe is not waited for. If a file is too large, its start decides.
        guard let bytes = try? OpenFile(anyAt: file, O_RDONLY | O_NONBLOCK).read(upTo: FileContents.maximumSize) else {
            return true
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains(#/(?m)^[ \t]*["']?(steps|include)["']?[ \t]*:|["'](steps|include)["']\s*:/#)
    }
}
