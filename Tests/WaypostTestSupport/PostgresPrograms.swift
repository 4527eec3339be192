internal import Foundation

/// The programs of PostgreSQL, without Debian's wrappers, which start slowly.
package enum PostgresPrograms {
    /// Whether the server is installed, and not only its clients.
    package static let areInstalled: Bool = {
        guard let server = try? path(of: "postgres") else { return false }
        return FileManager.default.isExecutableFile(atPath: server)
    }()

    /// Returns the path of a program of the newest installed version.
    package static func path(of name: String) throws -> String {
        let folder = "/usr/lib/postgresql"
        let versions = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap(Int.init)
        guard let newest = versions.max() else { throw NotInstalled() }
        return "\(folder)/\(newest)/bin/\(name)"
    }

    /// PostgreSQL is not installed.
    package struct NotInstalled: Error {}
}
