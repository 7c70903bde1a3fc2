# SPDX-License-Identifier: Apache-2.0
"""What an instruction reads and writes: objdump's text of it, and the registers it begins with."""
import re
import subprocess
from dataclasses import dataclass

REGISTERS = ("r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8", "rax", "rcx", "rdx",
             "rsi", "rdi", "orig_rax", "rip", "cs", "eflags", "rsp", "ss", "fs_base", "gs_base")
GAP = 64  # bytes between executed instructions beyond which objdump begins anew

LINE = re.compile(r"^\s*([0-9a-f]+):\t([^#<]*)(?:<[^>]*>)?\s*(?:# ([0-9a-f]+))?")
MEMORY = re.compile(r"(?:%([fg]s):)?\*?(-?0x[0-9a-f]+)?\((%\w+)?(?:,(%\w+)(?:,(\d))?)?\)|%([fg]s):(0x[0-9a-f]+)")
PREFIXES = ("lock", "rep", "repz", "repnz", "notrack", "bnd", "data16", "cs", "ds", "xacquire", "xrelease")
NO_ACCESS = ("lea", "nop", "prefetch", "endbr", "pause")
READS_ONLY = ("cmp", "test", "bt", "ucomis", "comis", "ptest", "vptest", "div", "idiv", "mul", "vucomis")
WIDE = {"x": 16, "y": 32, "z": 64}


@dataclass(frozen=True)
class Access:
    address: int
    size: int
    reads: bool
    writes: bool


@dataclass
class Instruction:
    name: str
    operands: str
    target: int | None  # of an operand relative to the instruction pointer


def _split(operands: str) -> list[str]:
    return [part.strip() for part in re.split(r",(?![^()]*\))", operands)] if operands else []


class Listing:
    """Instructions of one file, by their addresses in it."""

    def __init__(self, path: str, executed: list[int]):
        self.found: dict[int, Instruction] = {}
        begin = end = None
        for address in sorted(executed):
            if begin is not None and address - end > GAP:
                self._read(path, begin, end)
                begin = None
            begin, end = address if begin is None else begin, address
        if begin is not None:
            self._read(path, begin, end)

    def at(self, address: int) -> Instruction | None:
        """A wait of the floating-point unit is an instruction of its own that objdump shows with the next."""
        waited = self.found.get(address - 1)
        return self.found.get(address) or (waited if waited and waited.name.startswith("f") else None)

    def _read(self, path: str, begin: int, end: int) -> None:
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", f"--start-address={begin:#x}",
                               f"--stop-address={end + 16:#x}", path],
                              check=True, capture_output=True, text=True).stdout
        for line in text.splitlines():
            match = LINE.match(line)
            if not match:
                continue
            words = match[2].split()
            while len(words) > 1 and words[0] in PREFIXES:
                words.pop(0)
            if words:
                self.found[int(match[1], 16)] = Instruction(
                    words[0], " ".join(words[1:]), int(match[3], 16) if match[3] else None)


def _value(registers: dict[str, int], name: str | None) -> int:
    if not name:
        return 0
    name = name[1:]
    if name.startswith("e"):  # an address of 32 bits does not occur in what is compiled
        raise ValueError(f"address in {name}")
    return registers[name]


def _address(match: re.Match, instruction: Instruction, registers: dict[str, int], base: int) -> int:
    segment = match[1] or match[6]
    offset = registers["fs_base"] if segment == "fs" else 0
    if match[6]:
        return offset + int(match[7], 16)
    if match[3] == "%rip":
        return base + instruction.target
    return (offset + int(match[2] or "0", 16) + _value(registers, match[3])
            + _value(registers, match[4]) * int(match[5] or "1")) % 2**64


def _size(instruction: Instruction, operands: list[str]) -> int:
    for operand in operands:
        if re.match(r"%[xyz]mm", operand):
            return WIDE[operand[1]]
        if re.fullmatch(r"%(e..|r\d+d)", operand):
            return 4
        if re.fullmatch(r"%([abcd]l|[sd]il|bpl|r\d+b)", operand):
            return 1
    return {"b": 1, "w": 2, "l": 4}.get(instruction.name[-1], 8)


def accesses(instruction: Instruction, registers: dict[str, int], base: int) -> list[Access]:
    """Those to memory, the stack's included. `base`: where the file was loaded."""
    name, operands = instruction.name, _split(instruction.operands)
    found = []
    if name.startswith(("push", "call")):
        found.append(Access(registers["rsp"] - 8, 8, False, True))
    if name.startswith(("pop", "ret", "leave")):
        found.append(Access(registers["rbp" if name.startswith("leave") else "rsp"], 8, True, False))
    if name.startswith(NO_ACCESS):
        return found
    for place, operand in enumerate(operands):
        match = MEMORY.search(operand)
        if not match:
            continue
        last = place == len(operands) - 1
        moves = "mov" in name or name.startswith(("set", "st", "pop", "vextract", "pextr"))
        writes = last and not name.startswith((*READS_ONLY, "jmp", "call", "push")) and \
            (len(operands) > 1 or name.startswith(("set", "inc", "dec", "neg", "not", "pop", "st", "sh", "sa",
                                                   "fx", "xsave")))
        if name.startswith(("xchg", "cmpxchg")):
            writes = True
        if name.startswith("cmov"):
            writes = moves = False
        found.append(Access(_address(match, instruction, registers, base), _size(instruction, operands),
                            not (writes and moves), writes))
    return found
