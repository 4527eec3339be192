internal import Foundation
internal import JSONScanning
internal import LocalFiles
internal import WaypostSchema

/// The ready files of gateways and agents.
package enum ReadyFiles {
    /// Returns the content of a ready file, or the part of the ready file of a stack with the name of a program.
    ///
    /// - Throws: `ProcessFailure` that names the file, if it cannot be read.
    package static func read<Ready: Decodable>(
        _ type: Ready.Type,
        called name: String,
        from path: String
    ) throws(ProcessFailure) -> Ready {
        if let stack = parts(of: path) {
            guard let part = stack[name], let data = try? JSONEncoder().encode(part) else {
                throw .unusable("\(path): the stack has no \(name)")
            }
            return try decode(type, from: data, path: path)
        }
        do {
            return try read(type, from: path)
        } catch {
            guard FileManager.default.isReadableFile(atPath: path) else { throw error }
            throw .unusable("\(path): this is no ready file of \(name == "agent" ? "an agent" : "a \(name)")")
        }
    }

    /// Whether a file is the ready file of a stack, with the parts of several programs.
    package static func isOfStack(_ path: String) -> Bool {
        parts(of: path) != nil
    }

    private static func parts(of path: String) -> [String: JSONValue]? {
        let value = try? read([String: JSONValue].self, from: path)
        return value?["gateway"] == nil ? nil : value
    }

    /// Returns the content of a ready file.
    ///
    /// - Throws: `ProcessFailure` that names the file, if it cannot be read.
    package static func read<Ready: Decodable>(
        _ type: Ready.Type,
        from path: String
    ) throws(ProcessFailure) -> Ready {
        try decode(type, from: Data(bytes(at: path)), path: path)
    }

    /// Returns the administrative token in a file.
    ///
    /// - Throws: `ProcessFailure` that names the file, if it cannot be read or has no token.
    package static func adminToken(at path: String) throws(ProcessFailure) -> String {
        let bytes = try bytes(at: path)
        guard let token = adminToken(in: String(decoding: bytes, as: UTF8.self)) else {
            throw .unusable("\(path): contains no administrative token, which is one line of ASCII without spaces")
        }
        return token
    }

    private static func bytes(at path: String) throws(ProcessFailure) -> [UInt8] {
        do throws(SystemError) {
            return try FileContents.bytes(at: path)
        } catch {
            throw .unusable("\(path): cannot be read: \(error)")
        }
    }

    private static func adminToken(in text: String) -> String? {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        // Other characters do not fit into a header. The gateway reports any other problem with the token.
        return !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? token : nil
    }

    /// Returns the administrative token in the environment, or else in the data folder of a gateway; `nil` if neither has
    /// one.
    package static func adminToken(_ environment: [String: String], dataFolder: String?) -> String? {
        if let token = environment["WAYPOST_ADMIN_TOKEN"], !token.isEmpty { return token }
        // The gateway writes this file, so it is not a pipe.
        return dataFolder.flatMap { FileContents.text(regularAt: $0 + "/admin-token") }.flatMap(adminToken(in:))
    }

    private static func decode<Ready: Decodable>(
        _ type: Ready.Type,
        from data: Data,
        path: String
    ) throws(ProcessFailure) -> Ready {
        do {
            return try DocumentDecoder.decode(type, from: data)
        } catch {
            throw .unusable("\(path): \(DecodingError.sentence(of: error))")
        }
    }
}
