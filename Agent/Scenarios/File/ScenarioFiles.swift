internal import Foundation
internal import Yams

/// The scenario files among files and folders.
package enum ScenarioFiles {
    /// Returns the scenario files at a path: the file itself, or those in a folder and its subfolders, sorted.
    ///
    /// In a folder, a file counts if its name ends in `.yaml`, `.yml` or `.json`, and it has `name`, and `steps` or
    /// `include`: device files and included files do not.
    ///
    /// - Throws: `ScenarioFindings` if a folder has no scenario, or one of its files is not YAML.
    package static func files(at path: String) throws(ScenarioFindings) -> [String] {
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return [path]
        }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        var files: [String] = []
        for name in names.sorted() where [".yaml", ".yml", ".json"].contains(where: name.hasSuffix) {
            let file = "\(folder)/\(name)"
            let root = try ScenarioText(file: file).root
            guard root.mapping != nil, root["name"] != nil else { continue }
            if root["steps"] != nil || root["include"] != nil { files.append(file) }
        }
        guard files.isEmpty else { return files }
        let place = SourcePlace(file: path, line: 1, column: 1)
        throw ScenarioFindings([ScenarioFinding(place: place, message: "the folder has no scenario")])
    }
}
