import DeviceFiles
import Foundation
import SchemaFiles
import Testing
import WaypostSchema
import WaypostTestSupport

/// The photographs of contacts that device files name.
@Suite struct ContactPhotoFileTests {
    /// One orange pixel.
    private static let photo =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGN40WAAAAPsAZmp2ArEAAAAAElFTkSuQmCC"

    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        _ = try folder.write(try #require(Data(base64Encoded: Self.photo)), to: "enrique.png")
        _ = try folder.write(Array("<svg/>".utf8), to: "script.JPG")
    }

    private func file(_ photo: String) throws -> String {
        let text = """
            name: phone
            apps: []
            contacts:
              - { id: enrique, handles: [], photo: \(photo) }

            """
        return try folder.write(text.utf8, to: "device.yaml")
    }

    @Test(arguments: ["enrique.png", "./enrique.png", photo]) func fileBesideTheDeviceFileOrBase64IsRead(
        _ photo: String
    ) throws {
        let device = try DeviceFile(try file(photo), .device())
        #expect(device.description.contacts?.map(\.photo) == [Self.photo])
    }

    @Test func fileOnAnotherMachineIsRefusedAlsoIfOneOfItsNameIsHere() throws {
        let path = try file("enrique.png")
        let error = #expect(throws: FileFindings.self) { try DeviceFile(path, .device(), readsFiles: false) }
        let message = "the photo 'enrique.png' is on another machine, whose files are requested as text"
        #expect(error?.findings.map(\.message) == [message + "; write it as base64"])
        let embedded = try DeviceFile(try file(Self.photo), .device(), readsFiles: false)
        #expect(embedded.description.contacts?.map(\.photo) == [Self.photo])
    }

    @Test func largeFileIsRefusedWithItsSize() throws {
        _ = try folder.write([UInt8](repeating: 0, count: Contact.maximumPhotoSize + 1), to: "large.png")
        let path = try file("large.png")
        let error = #expect(throws: FileFindings.self) { try DeviceFile(path, .device()) }
        let message = "the photo has 1000001 bytes; at most 1000000 are accepted, so use a smaller picture"
        #expect(error?.findings.map(\.message) == [message])
    }

    @Test func pipeIsNotWaitedFor() throws {
        let status = mkfifo(folder.path(of: "pipe.png"), 0o600)
        #expect(status == 0)
        let path = try file("pipe.png")
        let error = #expect(throws: FileFindings.self) { try DeviceFile(path, .device()) }
        #expect(error?.findings.map(\.message) == ["the photo 'pipe.png' cannot be read: it is not a regular file"])
    }

    @Test(
        arguments: [
            ("nobody.png", "the photo 'nobody.png' cannot be read"),
            ("script.JPG", "contact enrique: the photo is neither a PNG nor a JPEG"),
            ("enrique", "contact enrique: the photo is not base64"),
        ]
    )
    func unusablePhotographIsAProblemAtItsPlace(_ photo: String, _ message: String) throws {
        let path = try file(photo)
        let error = #expect(throws: FileFindings.self) { try DeviceFile(path, .device()) }
        let finding = try #require(error?.findings.first)
        #expect(error?.findings.count == 1)
        #expect(finding.message.hasPrefix(message), "\(finding.message)")
        #expect((finding.place.line, finding.place.column) == (4, 40))
    }
}
