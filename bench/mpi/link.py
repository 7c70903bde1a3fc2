# SPDX-License-Identifier: Apache-2.0
"""A link between two network namespaces, shaped to a rate, and each MPI's launcher over it. Root alone may make one."""
import shutil
import subprocess
import time
from pathlib import Path

LIMIT_S = 120
SPACES = ("tulle_mpi_a", "tulle_mpi_b")
ADDRESSES = ("10.77.0.1", "10.77.0.2")
ENDS = ("tulle_ma", "tulle_mb")
AGENT = f"""#!/bin/sh
host=$1; shift
[ "$host" = {ADDRESSES[1]} ] && space={SPACES[1]} || space={SPACES[0]}
exec ip netns exec $space sh -c "$*"
"""


def quiet(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=LIMIT_S)


class Link:
    """Two namespaces joined by a pair of interfaces. The launchers reach the other one by an agent."""

    def __init__(self, folder: Path):
        self.agent = folder / "agent"
        self.agent.write_text(AGENT)
        self.agent.chmod(0o755)

    def __enter__(self):
        if not all(shutil.which(each) for each in ("ip", "tc")):
            return None
        steps = [["ip", "netns", "add", space] for space in SPACES]
        steps.append(["ip", "link", "add", ENDS[0], "type", "veth", "peer", "name", ENDS[1]])
        for space, end, address in zip(SPACES, ENDS, ADDRESSES):
            steps += [["ip", "link", "set", end, "netns", space],
                      ["ip", "-n", space, "addr", "add", f"{address}/24", "dev", end],
                      ["ip", "-n", space, "link", "set", end, "up"],
                      ["ip", "-n", space, "link", "set", "lo", "up"]]
        return self if all(quiet(*step).returncode == 0 for step in steps) and self.comes_up() else None

    def comes_up(self):
        """The kernel tells of a link's state up to a second late, and MPICH's transport asks for that."""
        for _ in range(100):
            if all(" state UP " in quiet("ip", "-n", space, "link", "show", end).stdout for space, end in zip(SPACES, ENDS)):
                return True
            time.sleep(0.05)
        return False

    def __exit__(self, *_):
        for space in SPACES:
            quiet("ip", "netns", "del", space)

    def shape(self, rate: str):
        """No credit for idle times: a burst of two packets."""
        for space, end in zip(SPACES, ENDS):
            subprocess.run(["tc", "-n", space, "qdisc", "replace", "dev", end, "root", "tbf", "rate", rate,
                            "burst", "3200", "latency", "400ms"], check=True)

    def launcher(self, mpi="openmpi", exported=("OMP_NUM_THREADS", "OMP_MAX_TASK_PRIORITY")):
        """Of two ranks, one at each end, which get the variables of these names; MPICH's get all. Without the options
        messages go round the link: both ends are one machine."""
        begin = ["ip", "netns", "exec", SPACES[0], f"mpirun.{mpi}", "-n", "2"]
        if mpi == "mpich":
            return [*begin, "-hosts", ",".join(ADDRESSES), "-ppn", "1", "-launcher", "rsh", "-launcher-exec", str(self.agent),
                    "-iface", ENDS[0], "-genv", "UCX_TLS", "tcp,self"]
        net = f"{ADDRESSES[0]}/24"
        return [*begin, "--allow-run-as-root", "--bind-to", "none",
                "--host", ",".join(f"{address}:1" for address in ADDRESSES), "--mca", "plm", "rsh",
                "--mca", "plm_rsh_agent", str(self.agent), "--mca", "pml", "ob1", "--mca", "btl", "tcp,self",
                "--mca", "btl_tcp_if_include", net, "--mca", "oob_tcp_if_include", net,
                *(word for name in exported for word in ("-x", name))]
