import GatewayStore
import HTTPTypes
import Hummingbird
import LocalService
import NIOCore
import PushRules
import WaypostSchema

@testable import DeviceAgent
@testable import Gateway
@testable import GatewayClient

extension FuzzTarget {
    /// A query, and the choices, the token and the topic of a filter.
    static let queries = FuzzTarget(
        name: "queries",
        summary: "queries of the APIs; the gateway reads the filter that a client sends, and errors name parameters"
    ) { bytes in
        var input = SeparatedInput(bytes)
        // The listeners refuse other characters.
        let query = String(decoding: input.next().filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
        checkErrors(in: request("?" + query))
        var choices = input.nextChoices()
        checkFilter(&choices, token: input.nextText(), topic: input.nextText())
    }

    private static func request(_ query: String) -> Request {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/v1/x\(query)")
        return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    }

    /// Calls all readers of parameters, and checks that an error names its parameter.
    private static func checkErrors(in request: Request) {
        let query = request.uri.queryParameters
        let readers: [() throws -> Void] = [
            { _ = try NotificationQuery(request) },
            { _ = try NotificationWait(request) },
            { _ = try WaitTimeout(request) },
            { _ = try DeviceFilter(in: query) },
            { _ = try request.flag("atomic") },
            { _ = try request.limit() },
            { _ = try request.requiredParameter("url") },
            { let _: TokenPurpose.Kind? = try request.name("kind") },
        ]
        for read in readers { checkError(of: read, in: query.map { String($0.key) }) }
    }

    /// Checks that a reader refuses only parameters that the query has, or that are required.
    private static func checkError(of read: () throws -> Void, in names: [String]) {
        do {
            try read()
        } catch {
            guard case .badParameter(let name, let message)? = error as? RequestError else {
                return promise(false, "a query has only bad parameters", found: error)
            }
            promise(!message.isEmpty, "a bad parameter has a message", found: error)
            promise(name == "url" || names.contains(name), "a bad parameter is in the query", found: error)
        }
    }

    private static func checkFilter(_ choices: inout InputChoices, token: String, topic: String) {
        var filter = NotificationFilter()
        filter.token = choices.bool() ? DeviceToken(rawValue: token) : nil
        filter.topic = choices.bool() ? Topic(rawValue: topic) : nil
        filter.states = choices.bool() ? [choices.choice(DeliveryState.self), choices.choice(DeliveryState.self)] : []
        filter.afterSequence = choices.bool() ? choices.number() : nil
        filter.limit = choices.bool() ? Int(choices.byte()) + 1 : nil
        do throws(RequestError) {
            let read = try NotificationQuery(request(filter.query))
            let token = filter.token.map { DeviceToken(hexadecimal: $0.rawValue) ?? $0 }
            let states: Set<DeliveryState> = read.filter.states ?? []
            let limit = filter.limit ?? 100
            let isSameFilter =
                read.filter.token == token && read.filter.topic == filter.topic && states == Set(filter.states)
            let isSamePage = read.afterSequence == filter.afterSequence && read.limit == limit
            promise(isSameFilter && isSamePage, "the gateway reads the filter of a client", found: (filter, read))
        } catch {
            promise(false, "the gateway accepts the filters of clients", found: (filter, error))
        }
    }
}
