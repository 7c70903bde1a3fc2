# SPDX-License-Identifier: Apache-2.0
"""Spherical harmonics by healpy, there and back."""
import healpy
import numpy

dice = numpy.random.default_rng(5)
sky = dice.normal(size=healpy.nside2npix(128))
for _ in range(3):
    harmonics = healpy.map2alm(sky, iter=1)
    sky = healpy.alm2map(harmonics, 128)
print(f"{numpy.abs(harmonics).sum():.12g} {numpy.square(sky).sum():.12g}")
