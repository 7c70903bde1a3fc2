# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms of points that are not on a grid, by FINUFFT."""
import finufft
import numpy

dice = numpy.random.default_rng(7)
x, y = dice.uniform(-numpy.pi, numpy.pi, (2, 400000))
strengths = dice.normal(size=400000) + 1j * dice.normal(size=400000)
for _ in range(4):
    modes = finufft.nufft2d1(x, y, strengths, (256, 256), eps=1e-9)
    strengths = finufft.nufft2d2(x, y, modes, eps=1e-9) / 400000
print(f"{numpy.abs(modes).sum():.7g} {numpy.abs(strengths).sum():.7g}")
