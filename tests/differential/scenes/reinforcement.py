"""Reinforcement learning: replay, policies with old log-probabilities, critics with targets, temperatures."""

# ruff: noqa: E501 - lines of the programs that are written here stay whole

from __future__ import annotations

from tests.differential.author import Author
from tests.differential.scenes.parts import change, loss, net, optimizer


def replay(a: Author) -> None:
    """DQN: a replay buffer of what the network saw and said, a target network."""
    a.define(f"""
        Transition = collections.namedtuple("Transition", ("state", "value", "reward", "next_state"))
        class Memory:
            def __init__(self, size=4):
                self.items = {a.one("deque(maxlen=size)", "deque([], maxlen=size)")}
            def push(self, *args):
                self.items.append(Transition(*args))
            def sample(self, count):
                return {a.one("list(self.items)[-count:]", "[self.items[i] for i in range(count)]", "list(itertools.islice(self.items, count))")}
            def __len__(self):
                return len(self.items)
        """)
    act = a.either(
        ("with torch.no_grad():\n    value = policy(state)", "value = policy(state).detach()"), "value = policy(state)"
    )
    goal = a.either(
        (
            "with torch.no_grad():\n    goal = batch.reward + 0.9 * target(batch.next_state)",
            "goal = batch.reward + 0.9 * target(batch.next_state).detach()",
        ),
        (
            "goal = batch.reward + 0.9 * target(batch.next_state)",
            "goal = batch.reward + 0.9 * policy(batch.next_state)",
        ),
    )
    a.code(f"""
        policy, target = {net(a)}, {net(a)}
        {a.maybe(0.5, "target = copy.deepcopy(policy)")}
        {a.maybe(0.5, "target.load_state_dict(target.state_dict())")}
        opt = {optimizer(a, "policy.parameters()")}
        memory = Memory()
        state = torch.randn(4, 4)
        for step in range(3):
            {act}
            next_state = torch.randn(4, 4)
            {a.either("reward = torch.ones(4, 4)", "reward = torch.ones(4, 4) + value.mean()")}
            memory.push(state, value, reward, next_state)
            state = next_state
            if len(memory) < 2:
                continue
            batch = Transition(*[torch.cat(column)[:4] for column in zip(*memory.sample(2))])
            {goal}
            q = policy(batch.state)
            {change(a, "q", 0.2)}
            loss = {loss(a, "q", "goal")} {a.maybe(0.3, "+ 0.1 * batch.value.mean()")}
            opt.zero_grad()
            loss.backward()
            for param in policy.parameters():
                {a.one("param.grad.data.clamp_(-1, 1)", "if param.grad is not None:" + chr(10) + "    param.grad.clamp_(-1, 1)")}
            opt.step()
            {a.maybe(0.4, "for p, q in zip(policy.parameters(), target.parameters()):" + chr(10) + "    q.data.copy_(0.9 * q.data + 0.1 * p.data)")}
        """)


def proximal(a: Author) -> None:
    """PPO: a rollout, several epochs over it with old log-probabilities and advantages."""
    rollout = a.either(
        "with torch.no_grad():\n    dist, value = agent(state)\n    action = dist.sample()\n    logp = dist.log_prob(action)",
        (
            "dist, value = agent(state)\naction = dist.sample()\nlogp = dist.log_prob(action)",
            "dist, value = agent(state)\naction = dist.sample()\nlogp = dist.log_prob(action).detach()",
        ),
    )
    a.define(f"""
        class Agent(nn.Module):
            def __init__(self):
                super().__init__()
                self.body, self.actor, self.critic = {net(a)}, nn.Linear(4, 2), nn.Linear(4, 1)
                {a.maybe(0.3, "self.log_std = nn.Parameter(torch.zeros(2))")}
            def forward(self, state):
                h = torch.tanh(self.body(state))
                {change(a, "h", 0.2)}
                return torch.distributions.{a.one("Categorical(logits=self.actor(h))", "Categorical(F.softmax(self.actor(h), dim=-1))")}, self.critic(h).squeeze(-1)
        def advantages(rewards, values, gamma=0.9):
            out, last = [], 0.0
            for reward, value in zip(reversed(rewards), reversed(values)):
                last = reward - value + gamma * last
                out.{a.one("insert(0, last)", "append(last)")}
            return torch.stack(out)
        """)
    a.code(f"""
        agent = Agent()
        opt = {optimizer(a, "agent.parameters()")}
        storage = collections.defaultdict(list)
        for t in range(2):
            state = torch.randn(4, 4)
            {rollout}
            for key, item in zip(("state", "action", "logp", "value", "reward"), (state, action, logp, value, torch.ones(4))):
                storage[key].append(item)
        adv = advantages(storage["reward"], storage["value"])
        old = torch.stack(storage["logp"])
        returns = adv + torch.stack(storage["value"])
        {a.either("adv = adv.detach()", ("adv = (adv - adv.mean()) / (adv.std() + 1e-5)", "pass"))}
        for epoch in range(2):
            for index in range(2):
                dist, value = agent(storage["state"][index])
                ratio = (dist.log_prob(storage["action"][index]) - old[index]).exp()
                {a.maybe(0.1, "ratio *= 1.0")}
                surrogate = torch.min(ratio * adv[index], ratio.clamp(0.8, 1.2) * adv[index])
                loss = -surrogate.mean() + 0.5 * F.mse_loss(value, returns[index]{a.one(".detach()", "")}) - 0.01 * dist.entropy().mean()
                opt.zero_grad()
                loss.backward({a.maybe(0.1, "retain_graph=True")})
                {a.maybe(0.4, "nn.utils.clip_grad_norm_(agent.parameters(), 0.5)")}
                opt.step()
        """)


def twin_critics(a: Author) -> None:
    """SAC or TD3: two critics, an actor through a critic, a temperature, delayed updates, soft targets."""
    a.define(f"""
        class Learner:
            def __init__(self, delay={a.one("1", "2")}):
                self.actor, self.q1, self.q2 = {net(a)}, {net(a)}, {net(a)}
                self.targets = [copy.deepcopy(self.q1), copy.deepcopy(self.q2)]
                self.log_alpha = {a.one("torch.zeros(1, requires_grad=True)", "nn.Parameter(torch.zeros(1))", "torch.tensor(0.0, requires_grad=True)")}
                self.actor_opt = {optimizer(a, "self.actor.parameters()")}
                self.q_opt = {optimizer(a, "[*self.q1.parameters(), *self.q2.parameters()]")}
                self.alpha_opt = torch.optim.Adam([self.log_alpha], lr=0.01)
                self.delay, self.updates = delay, 0
            @property
            def alpha(self):
                return self.log_alpha.exp(){a.either(".detach()", "")}
            def act(self, state):
                mean = self.actor(state)
                dist = torch.distributions.Normal(mean, torch.ones_like(mean))
                sample = dist.{a.one("rsample", "rsample", "sample")}()
                {a.one("action = torch.tanh(sample)", "action = sample.tanh()")}
                logp = dist.log_prob(sample) - torch.log(1 - action.pow(2) + 1e-3)
                return action, logp.sum(-1, keepdim=True)
            def update(self, state, reward, next_state):
                {a.either("with torch.no_grad():" + chr(10) + "    action, logp = self.act(next_state)" + chr(10) + "    goal = reward + 0.9 * (torch.min(*[t(next_state + action) for t in self.targets]) - self.alpha * logp)", "action, logp = self.act(next_state)" + chr(10) + "goal = reward + 0.9 * (torch.min(*[t(next_state + action) for t in self.targets]) - self.alpha * logp)")}
                q1, q2 = self.q1(state), self.q2(state)
                {change(a, "q1", 0.2)}
                q_loss = F.mse_loss(q1, goal) + F.mse_loss(q2, goal)
                {a.either("", "new, new_logp = self.act(state)" + chr(10) + "pi_loss = (self.alpha * new_logp - torch.min(self.q1(state + new), self.q2(state + new))).mean()" + chr(10) + "early = True")}
                self.q_opt.zero_grad()
                q_loss.backward()
                self.q_opt.step()
                self.updates += 1
                if self.updates % self.delay == 0:
                    {a.maybe(0.7, "new, new_logp = self.act(state)" + chr(10) + "pi_loss = (self.alpha * new_logp - torch.min(self.q1(state + new), self.q2(state + new))).mean()")}
                    {a.maybe(0.3, "for p in self.q1.parameters():" + chr(10) + "    p.requires_grad = False")}
                    if "pi_loss" in locals():
                        self.actor_opt.zero_grad()
                        pi_loss.backward()
                        self.actor_opt.step()
                        alpha_loss = -(self.log_alpha{a.maybe(0.3, ".exp()")} * (new_logp + 1.0){a.either(".detach()", "")}).mean()
                        self.alpha_opt.zero_grad()
                        alpha_loss.backward()
                        self.alpha_opt.step()
                    for net, slow in zip((self.q1, self.q2), self.targets):
                        for p, q in zip(net.parameters(), slow.parameters()):
                            p.requires_grad = True
                            {a.one("q.data.mul_(0.9)" + chr(10) + "q.data.add_(0.1 * p.data)", "q.data.copy_(0.1 * p + 0.9 * q)", "q.data = 0.9 * q.data + 0.1 * p.data")}
        """)
    a.code(f"""
        learner = Learner()
        for step in range(2):
            learner.update(torch.randn(4, 4), torch.ones(4, 4), torch.randn(4, 4))
            {a.maybe(0.2, "learner.alpha_opt.zero_grad()")}
        """)


def policy_gradient(a: Author) -> None:
    """REINFORCE or actor-critic: log-probabilities saved on the policy over an episode."""
    a.define(f"""
        class Policy(nn.Module):
            def __init__(self):
                super().__init__()
                self.body, self.actor, self.critic = {net(a)}, nn.Linear(4, 2), nn.Linear(4, 1)
                self.saved, self.rewards = [], []
            def forward(self, x):
                h = F.relu(self.body(x){a.maybe(0.3, ", inplace=True")})
                return F.softmax(self.actor(h), dim=-1), self.critic(h)
            def select(self, state):
                probs, value = self(state)
                dist = torch.distributions.Categorical(probs)
                action = dist.sample()
                self.saved.append((dist.log_prob(action), value))
                return action{a.one("", ".tolist()")}
        def finish(policy, opt):
            returns, total = deque(), 0.0
            for r in policy.rewards[::-1]:
                total = r + 0.9 * total
                returns.appendleft(total)
            returns = {a.one("torch.tensor(list(returns))", "torch.tensor([*returns])")}
            policy_losses, value_losses = [], []
            for (logp, value), R in zip(policy.saved, returns):
                advantage = R - value{a.either((".detach()", ".mean().item()", ".data"), "")}
                policy_losses.append((-logp * advantage).sum())
                value_losses.append(F.smooth_l1_loss(value, R.expand(4, 1)))
            opt.zero_grad()
            loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
            {a.one("loss.backward()", "loss.backward()", "torch.stack(policy_losses).sum().backward(retain_graph=True)" + chr(10) + "torch.stack(value_losses).sum().backward()", "torch.stack(policy_losses).sum().backward()" + chr(10) + "torch.stack(value_losses).sum().backward()")}
            opt.step()
            {a.either("del policy.rewards[:]" + chr(10) + "del policy.saved[:]", ("policy.rewards.clear()", "policy.rewards, policy.saved = [], policy.saved[1:]", "pass"))}
        """)
    a.code(f"""
        policy = Policy()
        opt = {optimizer(a, "policy.parameters()")}
        for episode in range(2):
            for t in range(2):
                policy.select(torch.randn(4, 4))
                policy.rewards.append(1.0)
                {a.either("", ("policy.saved[-1][1].mean().backward()", "pass"))}
            finish(policy, opt)
        """)


SCENES = (replay, proximal, twin_critics, policy_gradient)
