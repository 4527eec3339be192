internal import Foundation
internal import JSONScanning
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
        return try read(type, from: path)
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
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unusable("\(path): cannot be read")
        }
        return try decode(type, from: data, path: path)
    }

    private static func decode<Ready: Decodable>(
        _ type: Ready.Type,
        from data: Data,
        path: String
    ) throws(ProcessFailure) -> Ready {
        do {
            return try DocumentDecoder.decode(type, from: data)
        } catch {
            throw .unusable("\(path): \((error as? DecodingError)?.sentence ?? "\(error)")")
        }
    }
}
