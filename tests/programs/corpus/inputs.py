# SPDX-License-Identifier: Apache-2.0
"""Inputs that are the same each time: pictures, sounds, sequences, molecules."""
import math
import random
import struct
import wave
from pathlib import Path

AMINO_ACIDS = "ACDEFGHIKLMNPQRSTVWY"
BASES = "ACGT"


def picture(path: Path, width: int, height: int, shift: int = 0) -> None:
    """Stripes, rings and noise, as a portable pixmap; `shift` moves the view to the right."""
    rows = bytearray()
    for y in range(height):
        for x in range(shift, shift + width):
            ring = int(127 + 127 * math.sin(math.hypot(x - 300, y - 200) / 9))
            noise = (x * 2654435761 ^ y * 40503) >> 7 & 63
            rows += bytes((ring, (x * 5 + noise) & 255, (y * 3 ^ x) & 255))
    path.write_bytes(b"P6 %d %d 255\n" % (width, height) + rows)


def sound(path: Path, seconds: float, channels: int) -> None:
    """A chord with noise, another one on each channel."""
    dice, rate = random.Random(3), 44100
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        for i in range(int(seconds * rate)):
            file.writeframesraw(struct.pack(f"<{channels}h", *(
                int(9000 * math.sin(i * 0.03 * (channel + 1)) + dice.randrange(-4000, 4000))
                for channel in range(channels))))


def changed(dice: random.Random, sequence: str, letters: str, share: float) -> str:
    return "".join(dice.choice(letters) if dice.random() < share else letter for letter in sequence)


def relatives(path: Path, count: int, length: int, letters: str, families: int = 4, gaps: float = 0.0) -> None:
    """Sequences that descend from a few; with gaps they have equal length no more."""
    dice = random.Random(5)
    parents = ["".join(dice.choices(letters, k=length)) for _ in range(families)]
    lines = []
    for number in range(count):
        child = changed(dice, parents[number % families], letters, 0.02 + 0.3 * dice.random())
        child = "".join(letter for letter in child if dice.random() >= gaps)
        parents[number % families] = parents[number % families] if number % 3 else child
        lines.append(f">s{number}\n{child}\n")
    path.write_text("".join(lines), encoding="ascii")


def reads(path: Path, genome: int, length: int, coverage: int) -> None:
    """Reads of a genome with one letter in five hundred wrong."""
    dice = random.Random(7)
    whole = "".join(dice.choices(BASES, k=genome))
    lines = []
    for number in range(genome * coverage // length):
        at = dice.randrange(genome - length)
        lines.append(f">r{number}\n{changed(dice, whole[at:at + length], BASES, 0.002)}\n")
    path.write_text("".join(lines), encoding="ascii")


def water(path: Path, side: int) -> None:
    """Molecules of water on a cubic grid, in the format XYZ."""
    dice = random.Random(9)
    lines = []
    for cell in range(side ** 3):
        x, y, z = (3.0 * (cell // side ** k % side) + 0.2 * dice.random() for k in range(3))
        turn = 2 * math.pi * dice.random()
        for letter, reach, angle in (("O", 0.0, 0.0), ("H", 0.96, turn), ("H", 0.96, turn + 1.82)):
            lines.append(f"{letter} {x + reach * math.cos(angle):.6f} {y + reach * math.sin(angle):.6f} {z:.6f}\n")
    path.write_text(f"{len(lines)}\n\n" + "".join(lines), encoding="ascii")


def messages(folder: Path, count: int) -> None:
    """A catalogue of translations, and a template whose messages differ a little from it."""
    dice = random.Random(11)
    words = ["file", "cannot", "open", "remote", "branch", "during", "write", "invalid", "option", "error",
             "while", "reading", "object", "missing", "value", "unknown", "server", "closed"]
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    known, template = [head], [head]
    for number in range(count):
        text = [dice.choice(words) for _ in range(9)]
        known.append(f'msgid "{" ".join(text)} {number}"\nmsgstr "T {number}"\n\n')
        text[dice.randrange(9)] = dice.choice(words)
        template.append(f'msgid "{" ".join(text)} {number} again"\nmsgstr ""\n\n')
    (folder / "known.po").write_text("".join(known), encoding="utf-8")
    (folder / "template.pot").write_text("".join(template), encoding="utf-8")
