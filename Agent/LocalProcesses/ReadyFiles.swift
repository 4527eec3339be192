internal import Foundation
internal import JSONScanning
internal import WaypostSchema

/// The ready files of gateways and agents.
package enum ReadyFiles {
    /// Returns the content of the ready file at `path`.
    ///
    /// - Throws: `ProcessFailure` that names the file, if it cannot be read.
    package static func read<Ready: Decodable>(
        _ type: Ready.Type,
        from path: String
    ) throws(ProcessFailure) -> Ready {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unusable("\(path): cannot be read")
        }
        do {
            return try DocumentDecoder.decode(type, from: data)
        } catch {
            throw .unusable("\(path): \((error as? DecodingError)?.sentence ?? "\(error)")")
        }
    }
}
