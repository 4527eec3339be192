/// The rules of an object whose actions happen one after the other.
package protocol SequentialModel: Sendable {
    /// The state of the object between two actions.
    associatedtype State: Hashable & Sendable

    /// An action, with its arguments.
    associatedtype Action: Sendable

    /// The response to an action.
    associatedtype Response: Sendable

    /// The state before the first action.
    var initialState: State { get }

    /// Returns the states in which an action can leave the object.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - response: The response; `nil` if there was none, so that it is unknown whether the action happened.
    ///   - state: The state before the action.
    /// - Returns: The states; none if the action cannot have this response in this state.
    func states(after action: Action, with response: Response?, from state: State) -> [State]

    /// Returns whether an action with a response never changes anything that a later response could show.
    func changesNothing(_ action: Action, with response: Response) -> Bool
}

/// An action of a client among those of others.
package struct ConcurrentAction<Model: SequentialModel>: Sendable {
    /// The action.
    package let action: Model.Action

    /// The response; `nil` if there was none.
    package let response: Model.Response?

    /// The place of the request in the order of all requests and responses.
    package let begin: Int

    /// The place of the response in the same order; `nil` if there was none.
    package let end: Int?

    /// Creates an action that has ended.
    package init(_ action: Model.Action, _ response: Model.Response, begin: Int, end: Int) {
        (self.action, self.response, self.begin, self.end) = (action, response, begin, end)
    }

    /// Creates an action without a response, which may have happened at any time after its request, or not at all.
    package init(unanswered action: Model.Action, begin: Int) {
        (self.action, response, self.begin, end) = (action, nil, begin, nil)
    }
}
