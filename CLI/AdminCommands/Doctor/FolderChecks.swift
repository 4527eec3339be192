internal import Foundation
internal import LocalAuthority
internal import WaypostSchema

/// The checks of the files of a gateway.
enum FolderChecks {
    /// The minimum free space on a disk.
    private static let minimumFreeBytes = 1 << 30

    /// Returns the checks for the gateway at a location, or for a default gateway if it is `nil`.
    static func all(of location: GatewayOptions.Location?) -> [HealthCheck] {
        let authority = location?.readyFile?.ca.map { URL(filePath: $0).deletingLastPathComponent().path }
        return [
            certificateCheck(in: AuthorityFolder(path: authority ?? AuthorityOptions.defaultFolder), at: .now),
            dataFolderCheck(at: location?.readyFile?.data),
        ]
    }

    /// Returns the check of the certificate of a server.
    static func certificateCheck(in folder: AuthorityFolder, at now: Date) -> HealthCheck {
        guard let expiry = folder.serverExpiry else {
            return .skipped(
                "certificates",
                "none in \(folder.path); only TLS needs them, and a gateway with --provider or --proxy creates them"
            )
        }
        let date = expiry.formatted(.iso8601.year().month().day())
        return expiry > now
            ? .ok("certificates", "that of the server is valid until \(date)")
            : .problem(
                "certificates",
                "that of the server has expired, on \(date)",
                remedy: "waypost ca create --folder \(folder.path), and restart the gateway"
            )
    }

    /// Returns the check of the data folder of a gateway.
    static func dataFolderCheck(at path: String?) -> HealthCheck {
        guard let path else {
            return .skipped("data folder", "unknown; name the gateway by its ready file (--ready-file)")
        }
        guard FileManager.default.isWritableFile(atPath: path) else {
            return .problem("data folder", "\(path) cannot be written", remedy: "change its permissions")
        }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
        guard let freeBytes = attributes?[.systemFreeSize] as? Int else { return .ok("data folder", path) }
        let freeSpaceText = freeBytes.formatted(.byteCount(style: .memory))
        return freeBytes >= minimumFreeBytes
            ? .ok("data folder", "\(path), \(freeSpaceText) free")
            : .problem(
                "data folder",
                "\(path), only \(freeSpaceText) free",
                remedy: "free some space: with a full disk, the gateway refuses notifications"
            )
    }
}
