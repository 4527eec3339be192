import Foundation

/// The result of a page's script, as headless Chromium computes it.
package enum BrowserResult {
    /// The end of a script: a function that writes a value into the page, as JSON in Base64.
    ///
    /// The page needs an element whose identifier is `result`.
    package static let function = """
        function finish(value) {
          const bytes = new TextEncoder().encode(JSON.stringify(value));
          const text = Array.from(bytes, byte => String.fromCharCode(byte)).join('');
          document.getElementById('result').textContent = 'RESULT[' + btoa(text) + ']';
        }
        """

    /// Draws a page with Chromium and returns the value that its script gave to `finish`.
    package static func of<Value: Decodable>(_ html: String, as type: Value.Type) async throws -> Value {
        let folder = try ScratchFolder()
        let page = try folder.write(Data(html.utf8), to: "page.html")
        let document = try await ExternalCommand.run([
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--user-data-dir=\(folder.path(of: "profile"))", "--virtual-time-budget=60000", "--dump-dom",
            "file://\(page)",
        ])
        let text = String(decoding: document, as: UTF8.self)
        guard let match = text.firstMatch(of: /RESULT\[([A-Za-z0-9+\/=]*)\]/),
            let json = Data(base64Encoded: String(match.1))
        else {
            throw Missing(page: String(text.suffix(500)))
        }
        return try JSONDecoder().decode(type, from: json)
    }

    /// The error for a page that has no result, with its end.
    package struct Missing: Error {
        let page: String
    }
}
