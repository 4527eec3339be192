import Foundation
import GatewayTestSupport
import LocalService
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// Tests of a provider listener with several addresses, as clients need that are redirected by a hosts file.
@Suite(.timeLimit(.minutes(5))) struct ProviderAddressesTests {
    private static func configuration(_ scratch: ScratchFolder, _ provider: ListenAddress) -> GatewayConfiguration {
        var configuration = GatewayConfiguration.forTests
        configuration.provider = provider
        configuration.authorityFolder = scratch.path(of: "ca")
        return configuration
    }

    private static func port(_ url: String?) throws -> Int {
        try #require(url?.split(separator: ":").last.flatMap { Int($0) })
    }

    @Test func clientIsServedAtEveryAddress() async throws {
        let scratch = try ScratchFolder()
        // The gateway uses the current time, at which the certificates are valid.
        let sources = GatewaySources.forTests(now: Timestamp(milliseconds: Int(Date().timeIntervalSince1970 * 1_000)))
        // No other test listens on this address, so a port that was free once still is.
        let host = "127.0.0.77"
        let first = Self.configuration(scratch, ListenAddress(host, port: 0))
        let furtherPort = try await RunningGateway.run(first, sources: sources) { try Self.port($0.ready.provider) }
        var configuration = Self.configuration(scratch, ListenAddress(port: 0))
        configuration.furtherProviders = [ListenAddress(host, port: furtherPort)]
        try await RunningGateway.run(configuration, sources: sources) { gateway in
            let device = try await gateway.device()
            let announcedPort = try Self.port(gateway.ready.provider)
            for (address, port) in [("127.0.0.1", announcedPort), (host, furtherPort)] {
                let answer = try await ExternalCommand.run([
                    "curl", "--silent", "--show-error", "--noproxy", "*", "--cacert", try #require(gateway.ready.ca),
                    "--http2", "--write-out", "%{http_code}", "--header", "apns-topic: com.example.clowntown",
                    "--resolve", "api.push.apple.com:\(port):\(address)", "--data", #"{"aps":{"alert":"Honk"}}"#,
                    "https://api.push.apple.com:\(port)/3/device/\(device.token)",
                ])
                #expect(String(decoding: answer, as: UTF8.self) == "200")
            }
        }
        withExtendedLifetime(scratch) {}
    }

    @Test func readyFileHasTheAbsolutePathOfTheAuthority() async throws {
        let name = "relative-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: name) }
        var configuration = GatewayConfiguration.forTests
        configuration.provider = ListenAddress(port: 0)
        configuration.authorityFolder = "\(name)/ca"
        try await RunningGateway.run(configuration) { gateway in
            let path = URL(filePath: "\(name)/ca/ca.pem").standardizedFileURL.path
            #expect(gateway.ready.ca == path)
            #expect(path.hasPrefix("/") && FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func everyAddressNeedsProtection() {
        var configuration = GatewayConfiguration.forTests
        configuration.provider = ListenAddress(port: 0)
        configuration.furtherProviders = [ListenAddress("10.0.0.1", port: 7332)]
        #expect(configuration.unprotectedListeners.keys.sorted { "\($0)" < "\($1)" } == [.provider])
        configuration.authentication = .token
        #expect(configuration.unprotectedListeners.isEmpty)
        #expect(throws: Never.self) {
            try configuration.effectiveAllowedHosts.validate(host: "10.0.0.1:7332", origin: nil, site: nil)
        }
    }
}
