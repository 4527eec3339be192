internal import HTTPTypes
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

    /// The bytes of a body that need as much memory as an entry of a list, which is 1 KiB.
    private static let bytesPerEntry = 128

    /// Reserves memory for a list in the answer to the request in this task, before the list is read.
    ///
    /// A list of 128 entries needs no place in the budget.
    static func reserveList(of count: Int) throws {
        try BodyMemory.current?.reserve(bytesPerEntry * count)
    }
}

/// The memory of an answer in JSON that is made as a whole, and waits until its client reads it.
enum AnswerFootprint {
    /// The size in bytes up to which an answer needs no place in the budget, because the system holds most of it.
    static let freeSize = 64 << 10

    /// Returns the bytes of memory for an answer; `nil` if it needs no place in the budget.
    ///
    /// A long answer that is made piece by piece has no length yet, and memory of its own.
    static func bytes(_ response: Response) -> Int? {
        guard response.headers[.contentType] == "application/json", let size = response.body.contentLength,
            size > freeSize
        else { return nil }
        return size
    }
}

/// Middleware that takes the memory for the body of each request from the budget of batches until its answer is made,
/// and then that for a long answer until it is written.
struct BodyMemoryMiddleware: RouterMiddleware {
    let limiter: IntakeLimiter

    func handle(
        _ request: Request,
        context: ServiceContext,
        next: @concurrent (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let reservation = limiter.makeReservation()
        let memory = BodyMemory { size in try reservation.reserve(upTo: BodyFootprint.bytes(body: size)) }
        let response = try await BodyMemory.$current.withValue(memory) { try await next(request, context) }
        guard let size = AnswerFootprint.bytes(response) else { return response }
        reservation.shrink(to: size)
        do throws(GatewayError) {
            try reservation.reserve(upTo: size)
        } catch {
            // A call that has changed something cannot be refused any more.
            if Self.isRepeatable(request) { throw error }
        }
        return Self.holding(reservation, while: response)
    }

    /// Whether a request changes nothing.
    private static func isRepeatable(_ request: Request) -> Bool {
        request.method == .get || CheckRoutes.paths.contains(request.uri.path)
    }

    /// Returns a response that keeps memory until it is written.
    private static func holding(_ memory: IntakeLimiter.Reservation, while response: Response) -> Response {
        let body = response.body
        var response = response
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            try await body.write(writer)
            withExtendedLifetime(memory) {}
        }
        return response
    }
}
