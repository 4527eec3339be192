internal import Foundation
internal import Subprocess
internal import SystemPackage

/// The programs of Waypost.
enum Programs {
    /// Returns a program in the folder that `WAYPOST_BIN` names, or else on the search path.
    ///
    /// - Throws: `WaypostError.programMissing`.
    static func executable(_ name: String, environment: [String: String]) throws(WaypostError) -> Executable {
        let folders = [environment["WAYPOST_BIN"], environment["PATH"]].compactMap(\.self)
        let paths = folders.joined(separator: ":").split(separator: ":").lazy.map { "\($0)/\(name)" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
            throw .programMissing(name, folder: environment["WAYPOST_BIN"])
        }
        return .path(FilePath(path))
    }
}
