internal import Hummingbird
internal import LocalService

/// An estimate of the memory that the body of a request needs, unless it is a batch.
enum BodyFootprint {
    /// The size in bytes up to which a body needs no place in the budget.
    ///
    /// The calls of operators are smaller, so they are never refused because batches use the memory.
    static let freeSize = 16 << 10

    /// The bytes of memory for each byte of a body: its text, a copy of it, and the tree of its values.
    private static let bytesPerByte = 8

    /// Returns the bytes of memory for a body of `size` bytes.
    static func bytes(body size: Int) -> Int {
        size > freeSize ? bytesPerByte * size : 0
    }
}

/// Middleware that takes the memory for the body of each request from the budget of batches, until its answer is made.
struct BodyMemoryMiddleware: RouterMiddleware {
    let limiter: IntakeLimiter

    func handle(
        _ request: Request,
        context: ServiceContext,
        next: @concurrent (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let reservation = limiter.makeReservation()
        let memory = BodyMemory { size in try reservation.reserve(upTo: BodyFootprint.bytes(body: size)) }
        return try await BodyMemory.$current.withValue(memory) { try await next(request, context) }
    }
}
