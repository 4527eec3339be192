import Glibc
import LocalProcesses
import Testing

@Suite struct ReservedPortTests {
    @Test func anotherSocketListensOnAReservedPortAgainAndAgain() throws {
        let port = try ReservedPort()
        let number = try #require(port.address.split(separator: ":").last.flatMap { Int($0) })
        for _ in 0..<3 { #expect(listens(on: number)) }
    }

    @Test func reservedPortIsNotAssignedAsAFreeOne() throws {
        let ports = try (0..<100).map { _ in try ReservedPort() }
        #expect(Set(ports.map(\.address)).count == ports.count)
    }

    /// Opens a socket as a server does, and returns whether it listened on a port of 127.0.0.1.
    private func listens(on port: Int) -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var reuse: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(port).bigEndian
        name.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return withUnsafePointer(to: &name) { name in
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(socket, name, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(socket, 16) == 0
            }
        }
    }
}
