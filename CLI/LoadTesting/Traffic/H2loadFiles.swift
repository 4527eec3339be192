package import WaypostSchema

/// The input files with which h2load sends notifications to devices.
package struct H2loadFiles: Sendable {
    /// The texts of the files, by their names.
    package let files: [String: String]

    /// Creates the files.
    ///
    /// - Parameters:
    ///   - settings: the settings of the items.
    ///   - tokens: the tokens of the devices.
    ///   - endpoint: the provider listener.
    package init(_ settings: LoadSettings, _ tokens: [DeviceToken], endpoint: ProviderEndpoint) {
        let traffic = LoadTraffic(settings.traffic, tokens: tokens, itemsPerRequest: 1, seed: settings.seed, run: 0)
        let baseURL = endpoint.url
        files = [
            "urls.txt": tokens.map { "\(baseURL)/3/device/\($0)\n" }.joined(),
            "payload.json": String(decoding: traffic.payload(of: traffic.item(0, at: 0), at: 0), as: UTF8.self),
            // h2load takes the URLs in turn, on each of its streams.
            "h2load.sh": """
            #!/bin/sh
            # Sends a notification to each device in turn. Arguments are those of h2load, such as -n 100000 -c 4 -m 100.
            cd "$(dirname "$0")" || exit 1
            exec h2load -i urls.txt -d payload.json -H 'apns-topic: \(settings.traffic.topic)' \\
              -H 'apns-push-type: alert' "$@"

            """,
        ]
    }
}
