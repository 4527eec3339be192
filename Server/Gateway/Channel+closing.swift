internal import Foundation
internal import NIOCore

extension Channel {
    /// Closes the connection after a while, whatever its other end does or leaves undone.
    func closeAfterPatience() {
        eventLoop.scheduleTask(in: .lastPatience) { self.reset() }
    }

    /// Closes the connection at once; what was not taken is thrown away, which the kernel would keep offering otherwise.
    func reset() {
        guard isActive, let socket = self as? any SocketOptionProvider else { return close(promise: nil) }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in self.close(promise: nil) }
    }
}

extension TimeAmount {
    /// How long whoever does not finish is waited for when a connection is to end.
    static let lastPatience = Self.seconds(2)
}
