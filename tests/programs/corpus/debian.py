# SPDX-License-Identifier: Apache-2.0
"""Programs of Debian that use OpenMP, each with an input of its own."""
import hashlib
import random
import re
import subprocess
from pathlib import Path

import inputs
from program import Program

HERE = Path(__file__).resolve().parent / "scripts"
LETTER = "The quick brown fox number {} jumps over the lazy dog."


def digest(*names):
    """An answer that lies in files."""
    def of(_output: str, folder: Path) -> str:
        found = sorted(path for name in names for path in folder.glob(name))
        return "\n".join(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in found)
    return of


def lines(pattern: str):
    """An answer that is part of what is printed."""
    def of(output: str, _folder: Path) -> str:
        return "\n".join(line for line in output.splitlines() if re.search(pattern, line))
    return of


def text_of(name: str):
    return lambda _output, folder: (folder / name).read_text(encoding="utf-8")


def picture(folder: Path) -> None:
    inputs.picture(folder / "picture.ppm", 800, 600)


def dna(folder: Path) -> None:
    inputs.relatives(folder / "dna.fa", 150, 500, inputs.BASES)


def few_dna(folder: Path) -> None:
    inputs.relatives(folder / "dna.fa", 40, 400, inputs.BASES)


def proteins(folder: Path) -> None:
    inputs.relatives(folder / "proteins.fa", 100, 250, inputs.AMINO_ACIDS, gaps=0.03)


def many_proteins(folder: Path) -> None:
    inputs.relatives(folder / "proteins.fa", 8000, 250, inputs.AMINO_ACIDS, families=60, gaps=0.03)


def page_of_text(folder: Path) -> None:
    text = "\n".join(LETTER.format(37 * number) for number in range(12))
    subprocess.run(["convert-im6.q16", "-size", "900x420", "xc:white", "-font", "DejaVu-Serif", "-pointsize", "22",
                    "-annotate", "+20+40", text, "page.png"], cwd=folder, check=True)


def blob(folder: Path) -> None:
    (folder / "blob").write_bytes(random.Random(13).randbytes(30_000_000))


def spheres(folder: Path) -> None:
    for name, radius in (("fixed", "20 20 20"), ("moving", "25 22 20")):
        subprocess.run(["plastimatch", "synth", "--output", f"{name}.mha", "--dim", "80 80 80", "--pattern", "sphere",
                        "--radius", radius], cwd=folder, check=True, capture_output=True)
    (folder / "register.txt").write_text(
        "[GLOBAL]\nfixed=fixed.mha\nmoving=moving.mha\nxform_out=moved.txt\n[STAGE]\nxform=bspline\nimpl=plastimatch\n"
        "threading=openmp\ngrid_spac=20 20 20\nmax_its=8\nres=1 1 1\n", encoding="ascii")


def ring(folder: Path) -> None:
    """A ring of 151 inverters, each of two transistors that several threads evaluate."""
    stages = "".join(f"x{stage} a{stage} a{(stage + 1) % 151} v inv\n" for stage in range(151))
    (folder / "ring.cir").write_text(
        "* ring\n.model n nmos level=54 version=4.8.0\n.model p pmos level=54 version=4.8.0\n.subckt inv i o v\n"
        "mp o i v v p w=2u l=0.1u\nmn o i 0 0 n w=1u l=0.1u\nc o 0 5f\n.ends\nvdd v 0 1.2\n" + stages +
        ".ic v(a0)=0\n.control\nset num_threads=$OMP_NUM_THREADS\ntran 10p 4n\nmeas tran supply avg i(vdd)\n"
        "meas tran one avg v(a0)\nmeas tran other avg v(a75)\nquit 0\n.endc\n.end\n", encoding="ascii")


PROGRAMS = [
    Program("ImageMagick", ["convert-im6.q16", "picture.ppm", "-gaussian-blur", "0x3", "-resize", "731x517",
                            "-unsharp", "0x2", "-format", "%#", "info:"],
            "blurs, resizes and sharpens a picture", picture, package="imagemagick"),
    Program("GraphicsMagick", ["gm", "convert", "picture.ppm", "-gaussian", "0x4", "-resize", "731x517", "out.ppm"],
            "blurs and resizes a picture", picture, digest("out.ppm"), package="graphicsmagick"),
    Program("G'MIC", ["gmic", "picture.ppm", "-repeat", "4", "-bilateral", "10,10", "-blur", "2", "-done",
                      "-output", "out.ppm"],
            "smooths a picture", picture, digest("out.ppm"), package="gmic"),
    Program("SoX", ["sox", "-R", "-D", "--multi-threaded", "sound.wav", "out.wav", "rate", "-v", "96000", "sinc", "-n",
                    "8001", "1000"],
            "resamples and filters eight channels", lambda folder: inputs.sound(folder / "sound.wav", 3, 8),
            digest("out.wav"), package="sox"),
    Program("Tesseract", ["tesseract", "page.png", "-"], "reads a page", page_of_text, package="tesseract-ocr"),
    Program("primecount", ["primecount", "3e14", "-t{threads}"], "counts primes", package="primecount-bin"),
    Program("par2", ["par2", "create", "-q", "-t{threads}", "-s65536", "-r20", "blob.par2", "blob"],
            "computes what repairs a file", blob, digest("blob.*par2"), package="par2"),
    Program("gettext", ["msgmerge", "-q", "known.po", "template.pot"], "finds similar messages",
            lambda folder: inputs.messages(folder, 1500), package="gettext"),
    Program("FastTree", ["fasttreeMP", "-quiet", "-nt", "-gtr", "dna.fa"], "makes a tree of sequences", dna,
            package="fasttree"),
    Program("IQ-TREE", ["iqtree2", "-s", "dna.fa", "-T", "{threads}", "-seed", "1", "-m", "GTR+G", "-n", "2",
                        "--prefix", "tree"],
            "makes a tree by likelihood", few_dna, text_of("tree.treefile"), 1e-3, package="iqtree", refuses_many=True),
    Program("Clustal Omega", ["clustalo", "-i", "proteins.fa", "--threads={threads}"], "aligns proteins", proteins,
            package="clustalo"),
    Program("CD-HIT", ["cd-hit", "-i", "proteins.fa", "-o", "found", "-c", "0.6", "-n", "4", "-T", "{threads}"],
            "clusters proteins", many_proteins, digest("found"), package="cd-hit"),
    Program("MMseqs2", ["mmseqs", "easy-linclust", "proteins.fa", "found", "scratch", "--threads", "{threads}"],
            "clusters proteins", many_proteins,
            lambda _output, folder: "\n".join(sorted((folder / "found_cluster.tsv").read_text("ascii").splitlines())),
            package="mmseqs2"),
    Program("MEGAHIT", ["megahit", "-r", "reads.fa", "-t", "{threads}", "-o", "out"], "assembles a genome",
            lambda folder: inputs.reads(folder / "reads.fa", 60000, 100, 20),
            lambda _output, folder: "\n".join(sorted(
                line for line in (folder / "out/final.contigs.fa").read_text("ascii").splitlines() if line[0] != ">")),
            package="megahit"),
    Program("xtb", ["xtb", "water.xyz", "--gfn", "2"], "the energy of 27 molecules of water",
            lambda folder: inputs.water(folder / "water.xyz", 3), lines("TOTAL ENERGY|GRADIENT NORM|HOMO-LUMO GAP"),
            1e-6, package="xtb"),
    Program("ngspice", ["ngspice", "-b", "ring.cir"], "simulates a ring of inverters", ring,
            lines("^(supply|one|other) "), 1e-6, package="ngspice"),
    Program("CDO", ["cdo", "-s", "-P", "{threads}", "outputf,%.6g", "-fldmean", "-remapcon,r180x90", "-sqr",
                    "-topo,r1440x720"],
            "maps the earth's height to another grid", package="cdo", tolerance=1e-5),
    Program("Octave", ["octave-cli", "--no-gui", str(HERE / "dense.m")], "dense linear algebra",
            package="octave", tolerance=1e-6),
    Program("data.table", ["Rscript", str(HERE / "table.R"), "{threads}"], "sorts and groups two million rows",
            package="r-cran-data.table", tolerance=1e-9),
    Program("plastimatch", ["plastimatch", "register", "register.txt"], "fits one volume to another", spheres,
            text_of("moved.txt"), 1e-3, package="plastimatch"),
]
