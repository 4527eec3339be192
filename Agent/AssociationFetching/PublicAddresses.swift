internal import Foundation
internal import NIOCore
internal import NIOPosix
internal import Synchronization
internal import TextBasics
internal import UniversalLinks
internal import WaypostSchema

/// The addresses of domains, which must be on the internet.
///
/// An app's description may name any domain. Without this check it could make an agent send requests to this machine
/// and its network. `SpecialPurposeNetwork.all` lists the addresses that are not on the internet.
enum PublicAddresses {
    /// Returns the addresses of a domain, at least one, in the order in which to try them.
    ///
    /// - Throws: `AssociationFailure` if the domain is an address, is not known, or has an address that is not on the
    ///   internet.
    static func addresses(of domain: String) async throws(AssociationFailure) -> [String] {
        guard !isAddress(domain) else {
            throw .unreachable("'\(domain.safe(for: .excerpt))' is an address; use a name such as clowntown.example")
        }
        let addresses = try await resolve(domain)
        let refusals = addresses.compactMap { address in
            SpecialPurposeNetwork.network(of: address.bytes).map { (address: address, network: $0) }
        }
        if let refusal = refusals.first {
            throw .unreachable(
                "'\(domain.safe(for: .excerpt))' is \(refusal.address.string), which is not on the internet "
                    + "(\(refusal.network.name), \(refusal.network.source)); "
                    + "to allow it, name it in the device's associatedDomainsDevelopment"
            )
        }
        guard !addresses.isEmpty else { throw .unreachable("the host '\(domain.safe(for: .excerpt))' is not known") }
        return addresses.map(\.string)
    }

    /// Whether a host is an IPv4 address in any form, such as `127.1` or `0x7f000001` (WHATWG URL, "ends in a number").
    static func isAddress(_ host: String) -> Bool {
        guard let lastLabel = host.split(separator: ".").last else { return false }
        return lastLabel.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            || lastLabel.lowercased().hasPrefix("0x") && lastLabel.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    // MARK: Addresses

    /// An IPv4 or IPv6 address.
    struct Address: Sendable, Equatable {
        /// The four or sixteen bytes.
        let bytes: [UInt8]

        /// The address as it is written.
        let string: String

        init(bytes: [UInt8], string: String) {
            self.bytes = bytes
            self.string = string
        }

        /// Parses an address; `nil` if the string is not one.
        init?(_ string: String) {
            var bytes = [UInt8](repeating: 0, count: 16)
            if inet_pton(AF_INET, string, &bytes) == 1 {
                self.init(bytes: Array(bytes.prefix(4)), string: string)
            } else if inet_pton(AF_INET6, string, &bytes) == 1 {
                self.init(bytes: bytes, string: string)
            } else {
                return nil
            }
        }
    }

    // MARK: Names

    /// The threads for looking up names, which may take long and must not block other work.
    private static let threadPool: NIOThreadPool = {
        let threadPool = NIOThreadPool(numberOfThreads: 4)
        threadPool.start()
        return threadPool
    }()

    /// Returns the addresses of a name.
    private static func resolve(_ name: String) async throws(AssociationFailure) -> [Address] {
        // The system's call blocks, and cannot be canceled.
        let result = LookupResult()
        threadPool.submit { _ in
            if !result.hasResult { result.set(lookUp(name)) }
        }
        return try await withTaskCancellationHandler {
            await result.wait()
        } onCancel: {
            result.set(.failure(.canceled))
        }.get()
    }

    private static func lookUp(_ name: String) -> Result<[Address], AssociationFailure> {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else {
            return .failure(.unreachable("the host '\(name.safe(for: .excerpt))' is not known"))
        }
        defer { freeaddrinfo(list) }
        var addresses: [Address] = []
        var next = list
        while let entry = next?.pointee {
            var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let isConverted =
                getnameinfo(entry.ai_addr, entry.ai_addrlen, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
            // A link-local address ends with a percent sign and the name of its interface.
            let string = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if isConverted, let address = Address(String(string.prefix { $0 != "%" })) { addresses.append(address) }
            next = entry.ai_next
        }
        return .success(addresses)
    }
}

/// The result of a lookup, which a thread sets and a task waits for.
private final class LookupResult: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Result<[PublicAddresses.Address], AssociationFailure>, Never>)
        case set(Result<[PublicAddresses.Address], AssociationFailure>)
    }

    private let state = Mutex(State.empty)

    /// Whether there is a result.
    var hasResult: Bool {
        state.withLock { if case .set = $0 { true } else { false } }
    }

    /// Sets the result, unless there is one.
    func set(_ value: Result<[PublicAddresses.Address], AssociationFailure>) {
        let continuation = state.withLock { state -> CheckedContinuation<_, Never>? in
            guard case .set = state else {
                defer { state = .set(value) }
                if case .waiting(let continuation) = state { return continuation } else { return nil }
            }
            return nil
        }
        continuation?.resume(returning: value)
    }

    func wait() async -> Result<[PublicAddresses.Address], AssociationFailure> {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Result<[PublicAddresses.Address], AssociationFailure>? in
                if case .set(let value) = state { return value }
                state = .waiting(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
