internal import Foundation
internal import LocalAuthority
internal import WaypostSchema

/// The checks of the files of a gateway.
enum FolderChecks {
    /// The minimum free space on a disk, in bytes.
    private static let minimumFreeSpace = 1 << 30

    /// The folder of the certificate authority that a gateway creates by default.
    private static let defaultAuthorityFolder = "waypost-data/ca"

    /// Returns the checks for the gateway at a location, or for a default gateway if it is `nil`.
    static func all(of location: GatewayOptions.Location?) -> [HealthCheck] {
        let authority = location?.ready?.ca.map { URL(filePath: $0).deletingLastPathComponent().path }
        return [
            certificates(in: AuthorityFolder(path: authority ?? defaultAuthorityFolder), at: .now),
            data(in: location?.ready?.data),
        ]
    }

    /// Returns the check of the certificate of a server.
    static func certificates(in folder: AuthorityFolder, at now: Date) -> HealthCheck {
        guard let expiry = folder.serverExpiry else {
            return .skipped("certificates", "none in \(folder.path); only TLS needs them ('waypost ca create')")
        }
        let date = expiry.formatted(.iso8601.year().month().day())
        return expiry > now
            ? .fine("certificates", "that of the server is valid until \(date)")
            : .problem(
                "certificates",
                "that of the server has expired, on \(date)",
                remedy: "waypost ca create --folder \(folder.path), and restart the gateway"
            )
    }

    /// Returns the check of the data folder of a gateway.
    static func data(in path: String?) -> HealthCheck {
        guard let path else {
            return .skipped("data folder", "unknown; name the gateway by its ready file (--ready-file)")
        }
        guard FileManager.default.isWritableFile(atPath: path) else {
            return .problem("data folder", "\(path) cannot be written", remedy: "change its permissions")
        }
        let system = try? FileManager.default.attributesOfFileSystem(forPath: path)
        guard let free = system?[.systemFreeSize] as? Int else { return .fine("data folder", path) }
        let space = free.formatted(.byteCount(style: .memory))
        return free >= minimumFreeSpace
            ? .fine("data folder", "\(path), \(space) free")
            : .problem(
                "data folder",
                "\(path), only \(space) free",
                remedy: "free some space: with a full disk, the gateway refuses notifications"
            )
    }
}
