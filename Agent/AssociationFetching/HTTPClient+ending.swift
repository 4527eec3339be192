internal import AsyncHTTPClient

extension HTTPClient {
    /// Ends all requests, and closes all connections, without waiting for that.
    ///
    /// A connection that is being established cannot be canceled, and the end of TLS needs the server, so a silent one
    /// would delay the caller. The client keeps itself alive until its connections are closed.
    func endWithoutWaiting() {
        // The only error is that this was called before.
        shutdown { _ in }
    }
}
