import Foundation

/// A folder with an association file, deleted when its last reference is released.
final class LinkFiles: Sendable {
    static let clownTown = "ABCDE12345.com.example.clowntown"
    static let balloons = "ABCDE12345.com.example.balloons"
    static let notes = "ABCDE12345.com.example.notes"

    private static let text = #"""
        {
          "applinks": {
            "details": [
              {
                "appIDs": ["ABCDE12345.com.example.clowntown", "ABCDE12345.com.example.balloons"],
                "components": [
                  {"/": "/clowns/bozo/*", "exclude": true},
                  {"/": "/clowns/*"},
                  {"/": "/$(lang)-$(region)/*"}
                ]
              },
              {"appIDs": ["ABCDE12345.com.example.notes"], "components": [{"/": "/notes/*", "?": {"id": "?*"}}]}
            ]
          }
        }
        """#

    let folder = FileManager.default.temporaryDirectory.appending(path: "links-\(UUID().uuidString)")

    /// The path of the association file.
    ///
    /// Its apps are Clown Town and Balloons, which share their rules, and Notes.
    let association: String

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        association = folder.appending(path: "apple-app-site-association").path
        _ = try write(Self.text.utf8, to: "apple-app-site-association")
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Writes a file and returns its path.
    func write(_ contents: some Sequence<UInt8>, to name: String) throws -> String {
        let file = folder.appending(path: name)
        try Data(contents).write(to: file)
        return file.path
    }
}
