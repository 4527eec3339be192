internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import UniversalLinks
internal import WaypostSchema

/// The request for an association file, and the handling of its response.
struct AssociationExchange: Sendable {
    let client: HTTPClient
    let url: String
    let userAgent: AssociationUserAgent

    /// Sends the request, and returns the file or the failure.
    func fetchFile(for location: AssociationLocation) async -> Result<FetchedAssociation, AssociationFailure> {
        do throws(AssociationFailure) {
            let response = try await sendRequest()
            try AssociationFailure.checkResponseHead(response.status, response.headers)
            let bytes = try await readBody(of: response)
            let file = FetchedAssociation(
                bytes: bytes,
                source: location.source,
                contentType: response.headers.first(name: "content-type"),
                age: response.headers.first(name: "age"),
                lastModified: response.headers.first(name: "last-modified")
            )
            return .success(file)
        } catch {
            return .failure(error)
        }
    }

    private func sendRequest() async throws(AssociationFailure) -> HTTPClientResponse {
        var request = HTTPClientRequest(url: url)
        request.headers.add(name: "user-agent", value: userAgent.rawValue)
        do {
            // The caller limits the time of the whole exchange.
            return try await client.execute(request, deadline: .distantFuture)
        } catch {
            throw AssociationFailure(during: .connection, error)
        }
    }

    private func readBody(of response: HTTPClientResponse) async throws(AssociationFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            for try await chunk in response.body {
                guard bytes.count + chunk.readableBytes <= AssociationFile.maximumSize else {
                    throw AssociationFailure.tooLarge(nil)
                }
                bytes.append(contentsOf: chunk.readableBytesView)
            }
            // The body of a canceled request can look complete.
            try Task.checkCancellation()
        } catch let failure as AssociationFailure {
            throw failure
        } catch {
            throw AssociationFailure(during: .body, error)
        }
        return bytes
    }
}
