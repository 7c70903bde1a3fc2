# SPDX-License-Identifier: Apache-2.0
"""Tasks that wait for others by dependences, and for which: the graph, as far as it is seen. Part of tulle.py.

Seen are the last two tasks for each address, those that have begun, and all that follow any of these. A node knows who
follows it, and of those before it only how many they are.
"""
import re

import gdb

# Of an edge (src/omp/queue/depend_node.h), and of `wakes` there.
COMPLETE, UNNAMED, FAR, CELL, BEING_MADE, EVENT = 1, 2, 4, 64, 1 << 30, 1
GRAPH_SLOT = 1  # src/omp/task/graph_run.h
EXPLICIT, DETACHABLE = 1, 16  # src/omp/queue/task_record.h
MOST_NODES, MOST_WORDS = 10000, 16


def place_of(code):
    """The program's function at an address, and its line."""
    told = gdb.execute("info symbol %d" % code, to_string=True)
    found = re.match(r"(\S+)( \+ \d+)? in section", told)
    if found is None:
        return "?"
    name = re.sub(r"\._omp_fn.*|\.omp_outlined.*", "", found.group(1))
    line = gdb.find_pc_line(code)
    file = "%s:%d" % (line.symtab.filename.rsplit("/", 1)[-1], line.line) if line.symtab else ""
    name = "" if "omp_task_entry" in name else name  # Clang's tasks have no name of their function
    return "%s (%s)" % (name, file) if name and file else name or file or "?"


def code_of(task):
    """Where a task's body is: behind a function of the runtime's, if Clang made it."""
    function = int(task["function"])
    if "tulle::kmp::" not in gdb.execute("info symbol %d" % function, to_string=True):
        return function
    head = task["data"].cast(gdb.lookup_type("tulle::kmp::TaskHead").pointer())
    return int((head + 1).cast(gdb.lookup_type("tulle::kmp::Task").pointer())["entry"])


def name_of(task):
    return "a task of " + place_of(code_of(task))


def word_at(address):
    return int(gdb.Value(address).cast(gdb.lookup_type("unsigned long").pointer()).dereference())


class Node:
    """Of a task, or of a wait for siblings."""

    def __init__(self, record, parent, plain, task_type):
        waiting, wakes = int(plain(record["waiting"])), int(record["wakes"])
        self.parent = parent
        self.complete = bool(int(plain(record["successors"])) & COMPLETE)
        self.waiting = waiting if 0 < waiting < BEING_MADE else 0
        self.task = record["wakes"].cast(task_type) if wakes and not wakes & EVENT else None
        self.predecessors = []


class Dependences:
    """`begun`: (explicit task, its wait) for each that has begun; `implicit`: the implicit tasks."""

    def __init__(self, plain, begun, implicit):
        self.plain = plain
        self.begun = {int(task): wait for task, wait in begun}
        self.task_type = gdb.lookup_type("tulle::omp::Task").pointer()
        self.node_type = gdb.lookup_type("tulle::omp::DependenceNode").pointer()
        self.nodes = {}
        for task in [task for task, _ in begun] + implicit:
            if int(task["node"]) and not int(task["node"]) & GRAPH_SLOT:
                self.see(task["node"], int(task["parent"]))
            self.see_children(task)
        self.waiting = [node for node in self.nodes.values() if node.waiting]

    def see_children(self, parent):
        table = parent["table"]
        for slot in range(int(table["room"]) if int(table) else 0):
            entry = table["slots"][slot]["entry"]
            for nodes in (entry["now"], entry["before"]) if int(entry) else ():
                inline = nodes["inline_"]
                first = inline.address if int(nodes["room_"]) == 2 else inline[0]
                first = first.cast(self.node_type.pointer())
                for index in range(int(nodes["size_"])):
                    self.see(first[index], int(parent))

    def see(self, record, parent):
        """It and all that follow it: its siblings."""
        if int(record) not in self.nodes:
            self.nodes[int(record)] = Node(record, parent, self.plain, self.task_type)
            ahead = [record]
            while ahead and len(self.nodes) < MOST_NODES:
                record = ahead.pop()
                for successor in self.successors(record):
                    if int(successor) not in self.nodes:
                        self.nodes[int(successor)] = Node(successor, parent, self.plain, self.task_type)
                        ahead.append(successor)
                    self.nodes[int(successor)].predecessors.append(self.nodes[int(record)])

    def successors(self, record):
        edge = int(self.plain(record["successors"]))
        edge = 0 if edge & COMPLETE else edge & ~UNNAMED
        for _ in range(MOST_NODES):
            if edge == 0:
                return
            cell = gdb.Value(edge & ~(CELL - 1))
            if edge & FAR:
                cell = cell.cast(gdb.lookup_type("tulle::omp::EdgeCell").pointer())["successor"]
            yield cell.cast(self.node_type)
            edge = word_at(edge & ~FAR)

    def lacks_event(self, task):
        """Its body has ended. (One that nobody has begun may have its event already: where all stands still there is none.)"""
        return (int(task["bits"]) & DETACHABLE and int(self.plain(task["holds"])) == 1
                and int(task) not in self.begun)

    def state_of(self, node):
        if node.task is None:
            return "is a wait"
        if int(node.task) in self.begun:
            return self.begun[int(node.task)].text()
        if node.waiting:
            return "waits for %d other%s by dependences" % (node.waiting, "s"[node.waiting == 1:])
        if self.lacks_event(node.task):
            return "has ended, but nobody has fulfilled its event (detach)"
        return "has not begun, or has not ended"

    def waits_of(self, parent):
        """What a task waits for by dependences itself, be it for an undeferred child."""
        return next((node for node in self.waiting if node.task is None and node.parent == parent), None)

    def holds_event(self, node, task):
        """Its data have the event of the task, which is the address of that."""
        if node.task is None:
            return False
        data, record = int(node.task["data"]), int(node.task)
        room = MOST_WORDS
        if record <= data < record + 4096:
            size = int(node.task["size_class"])
            room = (record + (128 << size if size else node.task.dereference().type.sizeof) - data) // 8
        try:
            return any(word_at(data + 8 * index) == int(task) for index in range(min(room, MOST_WORDS)))
        except gdb.MemoryError:
            return False

    def root(self, node):
        """What it waits for in the end: (its node, that which waits for it)."""
        seen, last = set(), node
        while node.waiting and id(node) not in seen:
            seen.add(id(node))
            before = next((other for other in node.predecessors if not other.complete), None)
            if before is None:
                return None, node
            node, last = before, node
        return node, last

    def chain(self, node):
        """All that have to go on before it can begin."""
        found, ahead = [], [node]
        while ahead:
            for other in ahead.pop().predecessors:
                if not other.complete and other not in found:
                    found.append(other)
                    ahead.append(other)
        return found

    def circle(self):
        """(a task that waits, one that it waits for and whose event it holds)."""
        for node in self.waiting:
            for other in self.chain(node):
                if other.task is not None and self.lacks_event(other.task) and self.holds_event(node, other.task):
                    return node, other
        return None

    def verdict(self, waiter):
        """A sentence; None: no task waits by dependences. waiter(task) names the thread whose current task waits."""
        found = self.circle()
        if found is not None:
            node, other = found
            return ("Perhaps a circle: %s waits by dependences for %s, which has ended but for its event (detach); that "
                    "event is among the data of the first." % (name_of(node.task), name_of(other.task)))
        if not self.waiting:
            return None
        root, last = self.root(self.waiting[0])
        who = name_of(last.task) if last.task is not None else waiter(last.parent)
        if root is None or root.task is None:
            return "Stuck: %s waits by dependences for a task that is not seen." % who
        return "Stuck: %s waits by dependences for %s, which %s." % (who, name_of(root.task), self.state_of(root))
