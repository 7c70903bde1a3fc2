# SPDX-License-Identifier: Apache-2.0
"""Fails unless libtulle-glt exports what tulle/glt.h declares, and nothing else."""
import re
import subprocess
import sys

library, header = sys.argv[1:]
text = re.sub(r"/\*.*?\*/", "", open(header).read(), flags=re.DOTALL)
declared = set(re.findall(r"\b(glt_\w+)\s*\(", text))
listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
exported = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
for name in sorted(declared ^ exported):
    print(f"{name}: only {'declared' if name in declared else 'exported'}")
if len(declared) < 73:
    print(f"{len(declared)} functions declared, and the interface has 73")
sys.exit(declared != exported or len(declared) < 73)
