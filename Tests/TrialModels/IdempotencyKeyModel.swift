/// The rules of an idempotency key: the first batch with it is stored, and its repetitions get the same receipt.
package struct IdempotencyKeyModel: SequentialModel {
    /// The use of the key.
    package enum State: Hashable, Sendable {
        /// No batch has the key.
        case unused

        /// A batch with this body has the key; its receipt is `nil` if its sender got no response.
        case used(body: String, receipt: String?)
    }

    /// An action on the namespace of the key.
    package enum Action: Sendable {
        /// A batch with this body is sent.
        case send(body: String)

        /// The namespace is reset.
        case reset
    }

    /// The response to an action.
    package enum Response: Sendable {
        /// The batch was accepted for the first time.
        ///
        /// A batch without an accepted item is not stored if its namespace does not exist.
        case first(receipt: String, hasAcceptedItems: Bool)

        /// The batch had been accepted before.
        case replayed(receipt: String)

        /// The key has another body.
        case conflict

        /// The batch was refused as a whole, and nothing was stored.
        case refused

        /// The namespace was reset.
        case done
    }

    /// Creates the model.
    package init() {}

    /// No batch has the key.
    package let initialState = State.unused

    /// Returns the uses of the key after an action.
    package func states(after action: Action, with response: Response?, from state: State) -> [State] {
        switch (action, response) {
        case (.reset, nil), (.reset, .done?): return [.unused]
        case (.reset, _), (.send, .done?): return []
        case (.send(let body), nil): return state == .unused ? [.used(body: body, receipt: nil)] : [state]
        case (.send(let body), let response?): return states(sending: body, response, from: state)
        }
    }

    /// Returns whether a response shows that nothing was stored.
    ///
    /// A repetition may reveal the receipt of the first batch; an unknown receipt allows the same later responses.
    package func changesNothing(_ action: Action, with response: Response) -> Bool {
        switch response {
        case .replayed, .conflict, .refused: true
        case .first, .done: false
        }
    }

    private func states(sending body: String, _ response: Response, from state: State) -> [State] {
        switch (state, response) {
        case (_, .refused): return [state]
        case (.unused, .first(let receipt, let hasAcceptedItems)):
            let used = State.used(body: body, receipt: receipt)
            return hasAcceptedItems ? [used] : [used, .unused]
        case (.used(body, let receipt), .replayed(let replayed)):
            return receipt ?? replayed == replayed ? [.used(body: body, receipt: replayed)] : []
        case (.used(let other, _), .conflict): return other == body ? [] : [state]
        case (.unused, .replayed), (.unused, .conflict), (.used, .first), (.used, .replayed), (_, .done): return []
        }
    }
}
