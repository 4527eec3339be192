import NIOCore
import NIOHPACK
import Testing

@testable import HTTP2Sessions

/// A client that sends frames to a session and reads its answers.
struct Client {
    let session: HTTP2Session
    private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())

    /// The first frames that the session sent.
    private(set) var greeting: [Frame] = []

    /// Begins a connection with the preface and the settings of a client.
    init(_ limits: HTTP2Limits = HTTP2Limits()) throws {
        session = try #require(HTTP2Session(limits))
        _ = feed(Frame.preface + Frame.settings.bytes)
        greeting = try frames()
        _ = feed(Frame(.settings, flags: 1).bytes)
    }

    func feed(_ bytes: [UInt8]) -> [HTTP2Event] {
        bytes.withUnsafeBytes { session.receive($0) }
    }

    func send(_ frames: Frame...) -> [HTTP2Event] {
        send(frames)
    }

    func send(_ frames: [Frame]) -> [HTTP2Event] {
        feed(frames.flatMap(\.bytes))
    }

    /// Sends frames and returns the requests that they complete.
    func requests(_ frames: Frame...) -> [HTTP2Request] {
        send(frames).requests
    }

    /// Reads the frames that the session sends.
    func frames() throws -> [Frame] {
        var bytes: [UInt8] = []
        session.writeOutput(to: &bytes)
        return try #require(Frame.all(in: bytes))
    }

    /// Reads the fields of an answer.
    mutating func fields(of frame: Frame) throws -> [String] {
        var block = ByteBuffer(bytes: frame.payload)
        return try decoder.decodeHeaders(from: &block).map { "\($0.name): \($0.value)" }
    }
}

extension [HTTP2Event] {
    var requests: [HTTP2Request] {
        compactMap { if case .request(let request) = $0 { request } else { nil } }
    }
}

extension HTTP2Request {
    func value(of name: String) -> String? {
        fields.first { $0.name == name }?.value
    }
}
