internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import WaypostSchema

/// Turns every error of a request into its answer, through the one table of faults.
struct FaultMiddleware<Context: RequestContext>: RouterMiddleware {
    let logger: Logger

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let fault = fault(of: error, request)
            if fault == .internalError {
                logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            }
            return try JSONResponse.make(fault.body, status: fault.status, headers: fault.headers)
        }
    }

    private func fault(of error: any Error, _ request: Request) -> GatewayFault {
        switch error {
        case let fault as GatewayFault: fault
        case is CancellationError: .shuttingDown
        case let error as HTTPError where error.status == .notFound: ServicePaths.fault(of: request)
        default: .internalError
        }
    }
}
