"""Games solved by shards in one process, step by step, as a scheduler would on many machines."""

from pathlib import Path


def here(plan, step, *arguments):
    """A step, in this process."""
    found = getattr(plan, step)(*arguments)
    return list(found) if step in ("asks", "sends") else found


def solved(plan, call=here):
    """Solves a game by shards, and gives the fingerprint of its table. ``call`` makes each step."""
    for group, edges in enumerate(plan.bounds()):
        shards = range(len(edges) - 1)
        due = {}
        for shard in shards:
            asked = call(plan, "asks", group, shard)
            answers = [(slots, call(plan, "answers", earlier, owner, slots)) for earlier, owner, slots in asked]
            due[shard] = call(plan, "begin", group, shard, answers)
        while any(due.values()):
            plies = min(some[0] for some in due.values() if some)
            messages = {}
            for shard in shards:
                if plies in due[shard]:
                    for message in call(plan, "sends", group, shard, plies):
                        messages.setdefault(message.shard, []).append(message)
                    due[shard].remove(plies)
            for shard, some in messages.items():
                due[shard] = call(plan, "take", group, shard, plies, some)
                plan.forget(group, shard, plies)
    return plan.table(Path(plan.folder, "table.tsj"))
