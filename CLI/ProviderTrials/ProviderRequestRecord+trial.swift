internal import JSONScanning
package import WaypostSchema

extension ProviderRequestRecord {
    private struct Body: Decodable {
        var marker: String?
    }

    /// The marker of the message of a trial that the request carries; `nil` if it carries none.
    package var trialMarker: String? {
        body.flatMap { try? DocumentDecoder.decode(Body.self, fromDeepJSON: $0.utf8) }?.marker
    }

    /// Whether the gateway accepted the message; a request whose answer is delayed is performed at once.
    package var isAcceptedInTrial: Bool {
        status == 200 || (fault == .delay && status == nil)
    }
}
