class Memory:
    def __init__(self):
        self.clear()

    def clear(self):
        self.states, self.actions, self.logprobs, self.rewards = [], [], [], []

    def push(self, state, action, logprob, reward):
        self.states.append(state)
        self.actions.append(action)
        self.logprobs.append(logprob)
        self.rewards.append(reward)
