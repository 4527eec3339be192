internal import Foundation

/// A folder that exists only while something uses it.
enum TemporaryFolder {
    /// Calls `work` with a new folder, and removes it.
    static func with<Value>(_ name: String, _ work: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await work(folder)
    }
}
